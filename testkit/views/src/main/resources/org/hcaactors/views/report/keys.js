// Keyboard control: keys for everything that the mouse can do.

function listenForKeys(report) {
  const actions = {
    '/': () => report.filter.focus(), Escape: () => report.select(-1), n: () => report.step(1), p: () => report.step(-1),
    ArrowDown: () => report.step(1), ArrowUp: () => report.step(-1), j: () => report.nextMatch(1), k: () => report.nextMatch(-1),
    r: () => report.next(FLAGS.retransmitted), x: () => report.next((trace, i) => trace.lost[i] === 1 || trace.has(i, 'corrupted')),
    e: () => report.next(FLAGS.failed), c: () => report.toCause(), '[': () => report.inRequest(-1), ']': () => report.inRequest(1),
    '+': () => report.resize(1), '=': () => report.resize(1), '-': () => report.resize(-1), t: () => report.changeMode(), d: () => report.toggleDetails(),
    o: () => report.toggleOnly(), u: () => report.toggleFolds(), l: () => report.changeTheme(), '?': () => report.open('about'),
    1: () => report.open('ladder'), 2: () => report.open('requests'), 3: () => report.open('strips'), 4: () => report.open('events'), 5: () => report.open('about'),
  };
  document.addEventListener('keydown', key => {
    if (key.ctrlKey || key.metaKey || key.altKey) { return; }
    if (key.target === report.filter) {
      if (key.key === 'Escape') { report.filter.value = ''; report.refilter(); report.filter.blur(); }
      if (key.key === 'Enter') { key.preventDefault(); report.nextMatch(key.shiftKey ? -1 : 1); }
      return;
    }
    if (key.target.tagName === 'SELECT') { return; }
    if (Object.hasOwn(actions, key.key)) {
      key.preventDefault();
      actions[key.key]();
    }
  });
}
