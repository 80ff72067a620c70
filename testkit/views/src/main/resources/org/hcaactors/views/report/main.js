// The report's state: selection, filter, open views; and which views draw it.

/** Maximum adapters for which the ladder is shown first. */
const MOST_IN_LADDER = 3;

class Report {
  constructor(trace) {
    this.trace = trace;
    this.runs = [...document.querySelectorAll('script.run')].map(run => run.dataset.run);
    this.run = shownRun(this.runs);
    this.lanes = new Lanes(trace);
    this.rows = new Rows(trace);
    this.ladder = new Ladder(trace, this.lanes, this.rows);
    this.failed = readFailedTest();
    this.ladder.failed = this.failed;
    this.focus = trace.focus(this.failed !== null);
    // Many adapters are a service: its requests are shown before its packets.
    this.usual = this.lanes.adapters.length > MOST_IN_LADDER ? 'requests' : 'ladder';
    this.selected = -1;
    this.query = new Query('');
    this.found = null;
    const by = id => document.getElementById(id);
    this.filter = by('filter');
    this.says = by('filter-says');
    this.only = by('only');
    this.details = by('details');
    this.details.checked = false;
    this.scroller = document.querySelector('#ladder .scroller');
    this.canvas = document.querySelector('#ladder .sticky canvas');
    this.extent = document.querySelector('#ladder .extent');
    const select = event => this.select(event, true);
    this.overview = new Overview(by('overview'), trace, this.rows, y => { this.scroller.scrollTop = y - this.scroller.clientHeight / 2; });
    this.inspector = new Inspector(trace, by('inspector'));
    this.why = new Why(trace, by('explanation'), select);
    this.views = { requests: new Requests(trace, by('requests'), select), strips: new Strips(trace, by('strips')), events: new Events(trace, by('events'), select) };
    this.filter.placeholder = 'filter (/): dropped hca:' + (this.lanes.bands.length > 0 ? this.lanes.bands[0].name : 'a') + ' opcode:write …';
    this.why.ofTest = this.failed !== null;
    by('title').textContent = this.failed !== null ? 'Failed: ' + this.failed.name : trace.scene.title || 'A recorded run';
    if (this.failed !== null) {
      document.body.classList.add('failed');
      this.failure = new Failure(this.failed, by('failure'));
    }
    showAbout(trace, by('about'));
    this.listen();
  }

  listen() {
    document.querySelectorAll('nav button').forEach(button => button.addEventListener('click', () => this.open(button.dataset.view)));
    document.querySelectorAll('#axis button[data-step]').forEach(button => button.addEventListener('click', () => this.resize(Number(button.dataset.step))));
    document.getElementById('mode').addEventListener('click', () => this.changeMode());
    document.getElementById('theme').addEventListener('click', () => this.changeTheme());
    document.getElementById('search').addEventListener('submit', submit => submit.preventDefault());
    this.filter.addEventListener('input', () => this.refilter());
    this.only.addEventListener('change', () => { this.relay(); this.toHash(); });
    this.details.addEventListener('change', () => { this.relay(); this.toHash(); });
    this.scroller.addEventListener('scroll', () => this.draw());
    this.canvas.addEventListener('click', click => this.select(this.ladder.at(click.offsetX, click.offsetY)));
    this.canvas.addEventListener('pointermove', move => this.hover(move.offsetX, move.offsetY));
    this.scroller.addEventListener('wheel', wheel => {
      if (wheel.ctrlKey) { wheel.preventDefault(); this.resize(wheel.deltaY < 0 ? 1 : -1); }
    }, { passive: false });
    new ResizeObserver(() => { this.fitLanes(); this.redraw(); }).observe(document.querySelector('main'));
    // A scroll bar that appears or disappears changes the available space.
    new ResizeObserver(() => this.draw()).observe(this.scroller);
    window.addEventListener('hashchange', () => {
      const run = new URLSearchParams(location.hash.slice(1)).get('run');
      if (run !== null && run !== this.run) { location.reload(); }
      if (location.hash !== this.hash) { this.fromHash(); }
    });
    listenForKeys(this);
  }

  // Layout.

  open(view) {
    this.view = view;
    document.querySelectorAll('nav button').forEach(button => button.setAttribute('aria-selected', String(button.dataset.view === view)));
    document.querySelectorAll('section[data-section]').forEach(section => { section.hidden = section.dataset.section !== view; });
    // Hidden elements have no width.
    if (view === 'ladder') { this.fitLanes(); }
    this.redraw(true);
    this.toHash();
  }

  select(event, reveal) {
    this.selected = event;
    this.ladder.selected = event;
    this.ladder.kin = event < 0 ? null : this.trace.kin(event, MOST_KIN);
    this.why.show(event);
    this.inspector.show(event);
    document.querySelector('aside').scrollTop = 0;
    if (event >= 0 && reveal) { this.reveal(event); }
    if (this.query.usesSelection) { this.relay(); }
    if (this.view === 'ladder') { this.draw(); } else if (this.view !== 'strips') { this.redraw(reveal); }
    this.toHash();
  }

  reveal(event) {
    if (!this.rows.isShown(event) && this.trace.has(event, 'detail') && !this.details.checked) { this.toggleDetails(); }
    if (this.view !== 'ladder') { return; }
    const place = this.ladder.view === undefined ? null : this.rows.yOf(event);
    if (place === null) { return; }
    const { scrollTop, clientHeight, scrollLeft, clientWidth } = this.scroller;
    if (place < scrollTop + 30 || place > scrollTop + clientHeight - 40) { this.scroller.scrollTop = place - clientHeight / 2; }
    const x = this.lanes.x[this.trace.lane[event]];
    if (x < scrollLeft + GUTTER || x > scrollLeft + clientWidth - 60) { this.scroller.scrollLeft = x - clientWidth / 2; }
  }

  /** Scrolls to the first item of interest instead of the connection setup. */
  begin() {
    if (this.focus < 0 || !this.rows.isShown(this.focus) && this.rows.events.length === 0) { return; }
    if (this.view === 'ladder') {
      const y = this.rows.yOf(this.focus);
      const atTheEnd = this.focus === this.trace.count - 1;
      const first = this.trace.requests.count > 0 && this.focus === this.trace.requests.posted[0];
      this.scroller.scrollTop = first ? y - 20 : atTheEnd ? this.rows.height : y - this.scroller.clientHeight * 0.6;
    } else if (this.view !== 'about') {
      this.redraw(true);
    }
  }

  refilter() {
    try {
      this.query = new Query(this.filter.value);
      this.says.className = '';
    } catch (wrong) {
      this.relay();
      this.says.className = 'refused';
      this.says.textContent = wrong.message;
      return;
    }
    this.relay();
    this.toHash();
  }

  /** Computes which events have a row, and where. */
  relay() {
    const trace = this.trace;
    this.found = this.query.isEmpty() ? null : this.query.of(trace, this.selected);
    this.ladder.found = this.found;
    const shown = new Uint8Array(trace.count);
    const onlyFound = this.only.checked && this.found !== null;
    for (let i = 0; i < trace.count; i++) {
      const seen = this.found !== null && this.found[i] === 1 || this.details.checked || !trace.has(i, 'detail');
      shown[i] = seen && (!onlyFound || this.found[i] === 1) ? 1 : 0;
    }
    if (onlyFound) { this.keepEnds(shown); }
    const top = this.topEvent();
    this.rows.lay(shown);
    this.fitLanes();
    this.overview.count();
    if (this.found !== null) {
      const many = this.found.reduce((sum, one) => sum + one, 0);
      this.says.textContent = many + ' of ' + trace.count + ' events';
    } else {
      this.says.textContent = '';
    }
    this.redraw();
    if (top >= 0) { this.scroller.scrollTop = this.rows.yOf(top) - 20; }
  }

  /** Lanes of visible events and of the destinations of visible packets have a column. */
  fitLanes() {
    const present = new Set();
    for (const event of this.rows.events) {
      const elsewhere = ['fabric:dropped', 'fabric:forged'].includes(this.trace.type(event));
      if (!elsewhere) { present.add(this.trace.lane[event]); }
      const way = this.trace.isEntry(event) ? this.trace.wayAt[event] : -1;
      if (way >= 0) { present.add(this.trace.ways.lane[way]); }
    }
    this.lanes.fit(this.scroller.clientWidth || 1000, present);
  }

  /** The destination of a visible packet is visible, too. */
  keepEnds(shown) {
    const { from, to, count } = this.trace.ways;
    for (let way = 0; way < count; way++) {
      if (shown[from[way]] === 1 && to[way] >= 0) { shown[to[way]] = 1; }
    }
  }

  topEvent() {
    return this.rows.events.length === 0 || this.scroller.scrollTop < 20 ? -1 : this.rows.events[Math.min(this.rows.events.length - 1, this.rows.at(this.scroller.scrollTop + 20))];
  }

  matches(event) { return this.found === null || this.found[event] === 1; }

  /** Shows the strips of lanes with matching events. */
  seesLane(lane) {
    if (this.found === null) { return true; }
    if (this.lanesFound === undefined || this.lanesFoundFor !== this.found) {
      this.lanesFoundFor = this.found;
      this.lanesFound = new Set();
      this.found.forEach((one, event) => { if (one === 1) { this.lanesFound.add(this.trace.lane[event]); } });
    }
    return this.lanesFound.has(lane);
  }

  // Drawing.

  redraw(reveal) {
    if (this.view === undefined) { return; }
    if (this.view === 'ladder') {
      this.extent.style.height = this.rows.height + 'px';
      this.extent.style.width = this.lanes.width + 'px';
      document.getElementById('mode').textContent = this.rows.mode === 'rows' ? 'a row for each event' : 'time to scale';
      if (reveal && this.selected >= 0) { this.reveal(this.selected); }
      this.draw();
    } else if (this.view !== 'about') {
      this.views[this.view].show({ rows: this.rows, selected: this.selected, focus: this.focus, reveal, only: this.only.checked, matches: event => this.matches(event), seesLane: lane => this.seesLane(lane) });
    }
  }

  /** Draws once per frame, however often it is requested. */
  draw() {
    if (this.asked) { return; }
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.drawNow();
    });
  }

  drawNow() {
    if (this.view !== 'ladder') { return; }
    const scale = window.devicePixelRatio || 1;
    const width = this.scroller.clientWidth;
    const height = this.scroller.clientHeight;
    if (this.canvas.width !== Math.round(width * scale) || this.canvas.height !== Math.round(height * scale)) {
      this.canvas.width = Math.round(width * scale);
      this.canvas.height = Math.round(height * scale);
      this.canvas.style.width = width + 'px';
      this.canvas.style.height = height + 'px';
    }
    const view = { left: this.scroller.scrollLeft, top: this.scroller.scrollTop, width, height, scale };
    this.ladder.draw(this.canvas.getContext('2d'), view);
    const key = [view.left, width, this.lanes.width, this.lanes.columns.map(column => column.key + column.label).join('|')].join(' ');
    if (key !== this.headsKey) {
      this.headsKey = key;
      this.lanes.heads(document.getElementById('lanes'), view.left, width, which => this.fold(which));
    }
    this.overview.draw(view.top, height, scale);
  }

  hover(x, y) {
    const event = this.ladder.at(x, y);
    const trace = this.trace;
    this.canvas.style.cursor = event < 0 ? 'default' : 'pointer';
    document.getElementById('hover').textContent = event < 0 ? '' : micros(trace.nanos[event]) + ' us  ' + trace.adapter(trace.lane[event]) + '/' + trace.laneName(trace.lane[event]) + '  ' + trace.words(event);
  }

  // Actions of keys and buttons.

  fold(key) { this.lanes.fold(key); this.redraw(); }

  toggleFolds() {
    if (this.lanes.folded.size > 0) { this.lanes.unfoldAll(); } else { this.lanes.foldAgain(); }
    this.redraw();
  }

  resize(by) {
    const step = Math.max(0, Math.min(STEPS.length - 1, this.rows.step + by));
    if (step !== this.rows.step) { this.rows.step = step; this.relay(); }
  }

  changeMode() { this.rows.mode = this.rows.mode === 'rows' ? 'time' : 'rows'; this.relay(); this.toHash(); }
  toggleDetails() { this.details.checked = !this.details.checked; this.relay(); this.toHash(); }
  toggleOnly() { this.only.checked = !this.only.checked; this.relay(); this.toHash(); }

  changeTheme() {
    applyTheme(document.body.dataset.theme === 'light' ? 'dark' : 'light');
    this.redraw();
  }

  /** Selects the next event with a row after the selected one, cyclically. */
  seek(by, wanted) {
    const events = this.rows.events;
    if (events.length === 0) { return; }
    const at = this.selected < 0 ? (by > 0 ? -1 : events.length) : this.rows.rowAt[this.selected];
    for (let i = 1; i <= events.length; i++) {
      const row = ((at + by * i) % events.length + events.length) % events.length;
      if (wanted(events[row])) { this.select(events[row], true); return; }
    }
  }

  step(by) { this.seek(by, () => true); }
  next(flag) { this.seek(1, event => flag(this.trace, event)); }
  nextMatch(by) { this.seek(by, event => this.matches(event)); }

  inRequest(by) {
    const request = this.selected < 0 ? -1 : this.trace.requestOf[this.selected];
    if (request >= 0) { this.seek(by, event => this.trace.requestOf[event] === request); }
  }

  toCause() {
    const cause = this.selected < 0 ? -1 : this.trace.cause[this.selected];
    if (cause >= 0) { this.select(cause, true); }
  }

  // A link to the current view.

  toHash() {
    const parts = new URLSearchParams();
    if (this.runs.length > 1) { parts.set('run', this.run); }
    if (this.view !== this.usual) { parts.set('view', this.view); }
    if (this.filter.value !== '') { parts.set('filter', this.filter.value); }
    if (this.selected >= 0) { parts.set('event', this.trace.id[this.selected]); }
    if (this.only.checked) { parts.set('only', ''); }
    if (this.details.checked) { parts.set('details', ''); }
    if (this.rows.mode === 'time') { parts.set('time', ''); }
    this.hash = parts.size === 0 ? '' : '#' + parts;
    try {
      history.replaceState(null, '', this.hash || location.pathname + location.search);
    } catch {
      // A page without its own address, or with too many changes, cannot update its link; this is harmless.
    }
  }

  fromHash() {
    const parts = new URLSearchParams(location.hash.slice(1));
    const view = parts.get('view');
    this.filter.value = parts.get('filter') || '';
    this.only.checked = parts.has('only');
    this.details.checked = parts.has('details');
    this.rows.mode = parts.has('time') ? 'time' : 'rows';
    const place = this.trace.placeOf.get(parts.get('event'));
    this.view = ['ladder', 'requests', 'strips', 'events', 'about'].includes(view) ? view : this.usual;
    this.refilter();
    this.open(this.view);
    this.drawNow();
    this.select(place === undefined ? -1 : place, true);
    if (place === undefined) { this.begin(); }
    // After the next frame, everything is painted.
    requestAnimationFrame(() => requestAnimationFrame(() => { document.body.dataset.ready = 'true'; }));
  }
}

applyTheme(window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
const report = new Report(readRun());
report.fromHash();

/** For tests, and for use from a console. */
window.hcaReport = Object.freeze({
  recorded: () => report.trace.recorded(),
  drawn: () => {
    const lanes = new Lanes(report.trace);
    lanes.unfoldAll();
    const rows = new Rows(report.trace);
    return new Census(new Ladder(report.trace, lanes, rows)).count();
  },
  /** Content of the other views, without filter and with all details. */
  listed: () => {
    report.details.checked = true;
    report.filter.value = '';
    report.refilter();
    ['requests', 'strips', 'events'].forEach(view => report.open(view));
    const strips = report.trace.scene.strips;
    const steps = bands => bands.reduce((sum, band) => sum + (band.length - 1) / 2, 0);
    return {
      events: report.views.events.list.rows.length,
      requests: report.views.requests.list.rows.length - report.views.requests.said.length,
      states: steps(strips.states),
      sessions: steps(strips.sessions),
      pages: strips.pages.length,
      bands: report.views.strips.bands.length,
    };
  },
  place: id => {
    const event = report.trace.placeOf.get(String(id));
    if (event === undefined) { return null; }
    report.open('ladder');
    report.reveal(event);
    report.drawNow();
    const box = report.canvas.getBoundingClientRect();
    const place = report.ladder.place(event);
    return { x: box.left + place.x, y: box.top + place.y };
  },
  /** True if the row of an event is visible at the current scroll position. */
  sees: id => {
    const y = report.rows.yOf(report.trace.placeOf.get(String(id)));
    return y >= report.scroller.scrollTop && y <= report.scroller.scrollTop + report.scroller.clientHeight;
  },
  /** Number of events with a row, and height of all rows. */
  rows: () => ({ events: report.rows.events.length, height: report.rows.height }),
  shown: id => {
    const event = report.trace.placeOf.get(String(id));
    return event === undefined || report.trace.packet[event] < 0 ? [] : report.inspector.fields(report.trace.packet[event], null)
      .map(({ header, name, value, code, meaning }) => ({ header, name, value, meaning: code || meaning }));
  },
  palette: theme => ({ ...PALETTES[theme].classes, ground: PALETTES[theme].ground }),
});
