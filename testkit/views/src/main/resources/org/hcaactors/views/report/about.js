// About this report: counts, seed, faults, keys.

const KEY_WORDS = [
  ['/', 'to the filter'], ['Esc', 'select nothing; in the filter: empty it'], ['Enter', 'in the filter: next match, with Shift previous'], ['n p', 'next, previous visible event'], ['j k', 'next, previous match'],
  ['r', 'next packet that is sent again'], ['x', 'next lost packet'], ['e', 'next failure'], ['c', 'to its cause'], ['[ ]', 'previous, next of the same work request'],
  ['+ -', 'larger, smaller'], ['t', 'time to scale, or a row each'], ['d', 'details: receives, entries of completion queues, leases'], ['o', 'only what matches'],
  ['u', 'unfold, or fold, all lanes'], ['1 … 5', 'the views'], ['l', 'light or dark'], ['?', 'this help'],
];

function showAbout(trace, element) {
  const scene = trace.scene;
  const counts = trace.recorded();
  const row = (name, count) => make('tr', {}, make('td', {}, name), make('td', { class: 'count' }, Number(count).toLocaleString('en')));
  const names = ['events', 'packets', 'delivered', 'dropped', 'corrupted', 'retransmissions', 'requests', 'completions'];
  element.replaceChildren(
    make('h2', {}, scene.title || 'A recorded run'),
    make('p', {}, scene.seed === '' ? 'On a real clock: another run has other times.' : 'Seed ' + scene.seed + ': the same seed makes the same run.',
      scene.left > 0 ? ' ' + Number(scene.left).toLocaleString('en') + ' older events are not in this file; causes among them are unknown.' : ''),
    make('div', { class: 'columns' },
      make('div', {}, make('h3', {}, 'contents of the run'), make('table', {}, ...names.map(name => row(name, counts[name])))),
      make('div', {}, make('h3', {}, 'keys'), make('table', {}, ...KEY_WORDS.map(([keys, words]) => make('tr', {}, make('td', {}, ...keys.split(' ').map(key => make('kbd', {}, key))), make('td', {}, words))))),
      make('div', {}, make('h3', {}, 'the filter'), make('p', {}, 'All words must match; a word with - before it must not match.'),
        make('pre', {}, 'opcode:read psn:1000..1100 hca:b dropped\nqp:17 -type:cq "goes back"\ntime:12.5..40 wr:7'),
        make('p', {}, 'keys: ' + Object.keys(KEYS).join(', ')), make('p', {}, 'flags: ' + Object.keys(FLAGS).join(', '))),
      make('div', {}, make('h3', {}, 'events by type'), make('table', {}, ...Object.keys(counts.types).sort().map(type => row(type, counts.types[type]))))),
    scene.faults === '' ? '' : make('h3', {}, scene.faults.startsWith('#') ? 'adapters and fault plan' : 'the fault plan'),
      scene.faults === '' ? '' : make('pre', {}, scene.faults));
}
