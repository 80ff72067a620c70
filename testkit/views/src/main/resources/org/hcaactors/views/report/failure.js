// The head of a failed test's report: assertion, line, replay command, facts, and the choice of the run.

/** Facts that the page shows elsewhere. */
const NOT_SAID = ['run', 'test'];
/** Lines of a long assertion that are shown first. */
const MOST_LINES = 7;
/** Approximate characters of a line. */
const LINE = 56;
/** Labels for the short names of facts. */
const FACT_WORDS = { injected: 'faults injected', plan: 'fault plan', minimal: 'minimal run', again: 'posted again' };
const RUN_WORDS = { minimal: 'the minimal run', whole: 'the whole run' };

/** Empty if no test failed. */
function readFailedTest() {
  const block = document.getElementById('failed-test');
  return block === null ? null : JSON.parse(block.textContent);
}

class Failure {
  constructor(test, element) {
    element.hidden = false;
    const said = test.facts.filter(([name]) => name !== 'event' && !NOT_SAID.includes(name));
    // The last facts for the program are those of the run that is shown first.
    const last = shownRun(test.runs.map(([name]) => name)) === test.runs[0][0] ? test.facts.filter(([name]) => name === 'event').slice(-1) : [];
    element.append(
      make('div', { class: 'what-failed' }, ...Failure.assertion(test.assertion)),
      make('dl', { class: 'wide' }, ...Failure.fact('at', make('b', { class: 'line' }, test.line)), ...Failure.fact('run again', Failure.command(test.replay)),
        ...Failure.fact('shown below', Failure.runs(test.runs)), ...Failure.fact('more files', Failure.files(test))),
      make('dl', { class: 'takes' }, ...said.flatMap(([name, text]) => Failure.fact(FACT_WORDS[name] || name, text)), ...last.flatMap(([, text]) => Failure.fact('last event',  text))));
  }

  /** Of a long assertion the first lines; a click shows the others. */
  static assertion(text) {
    const lines = text.split('\n');
    let room = MOST_LINES;
    const first = lines.filter((line, i) => {
      room -= Math.max(1, Math.ceil(line.length / LINE));
      return room >= 0 || i === 0;
    });
    const rest = lines.slice(first.length);
    return [make('pre', { class: 'assertion' }, first.join('\n')),
      rest.length === 0 ? '' : make('details', {}, make('summary', {}, rest.length === 1 ? '1 more line' : rest.length + ' more lines'), make('pre', { class: 'assertion' }, rest.join('\n')))];
  }

  static fact(name, told) { return [make('dt', {}, name), make('dd', {}, told)]; }

  /** A click selects the whole command; the button copies it if the browser permits that. */
  static command(text) {
    const button = make('button', { class: 'copy' }, 'Copy');
    button.addEventListener('click', () => {
      const copied = navigator.clipboard === undefined ? Promise.reject(new Error('none')) : navigator.clipboard.writeText(text);
      copied.then(() => { button.textContent = 'Copied'; }, () => {
        getSelection().selectAllChildren(command);
        button.textContent = 'Selected';
      });
    });
    const command = make('code', { class: 'replay' }, ...text.split(' ').flatMap((word, i) => i === 0 ? [make('span', {}, word)] : [' ', make('span', {}, word)]));
    return make('span', { class: 'command' }, command, button);
  }

  static files(test) {
    const pasted = test.facts.filter(([name]) => name === 'test').map(([, text]) => text.split('/').pop()).filter(name => /^shrunk\.\w+\.txt$/.test(name));
    const links = [...pasted, ...test.files].map(name => make('a', { href: encodeURIComponent(name) }, name === pasted[0] ? 'test method' : name));
    return make('span', { class: 'files' }, ...links.flatMap((link, i) => i === 0 ? [link] : [', ', link]));
  }

  /** The switch between the runs. */
  static runs(runs) {
    const shown = shownRun(runs.map(([name]) => name));
    const says = ([name, events]) => (RUN_WORDS[name] || name) + ', ' + events.toLocaleString('en') + ' events';
    const button = run => make('button', { 'aria-pressed': String(run[0] === shown), 'data-choose': run[0], on: { click: () => showRun(run[0]) } }, says(run));
    if (runs.length < 2) { return says(runs[0]); }
    return make('div', { class: 'shown-run', role: 'group', 'aria-label': 'which run is shown' }, ...runs.map(button));
  }
}
