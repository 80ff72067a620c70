// Work requests as bars: waits by colour and pattern, stages as ticks.

const WAITS = {
  queue: 'behind other requests, or for a free send window', flight: 'on the wire', loss: 'until a loss was detected', not_ready: 'peer not ready',
  page: 'page absent', poll: 'completed, not yet polled',
};
const MOMENTS = ['posted', 'first', 'last', 'answered', 'ended', 'polled'];

class Requests {
  constructor(trace, element, onSelect) {
    this.trace = trace;
    this.scale = 'run';
    const choice = make('select', { 'aria-label': 'scale', on: { change: change => { this.scale = change.target.value; this.list.draw(); } } },
      make('option', { value: 'run' }, 'on the run\'s clock'), make('option', { value: 'start' }, 'from its posting, one scale'), make('option', { value: 'own' }, 'all of equal length'));
    const legend = make('div', { class: 'legend' }, choice, ...Object.entries(WAITS).map(([cause, words]) => make('span', {}, make('i', { class: 'wait-' + cause }), words)),
      make('span', {}, 'ticks: posted, first and last packet, answer, completion, poll'));
    const list = make('div', {});
    element.append(legend, list);
    this.list = new LongList(list, 24, (row, event) => this.fill(row, event), onSelect);
    this.said = [];
    for (let i = 0; i < trace.count; i++) { if (trace.has(i, 'program')) { this.said.push(i); } }
    this.byPosting = new Map(Array.from(trace.requests.posted, (place, request) => [place, request]));
  }

  fill(row, posted) {
    const trace = this.trace;
    const request = this.byPosting.get(posted);
    if (request === undefined) { this.fillSaid(row, posted); return; }
    const status = trace.requests.status[request];
    row.dataset.event = trace.id[posted];
    const lane = trace.lane[posted];
    row.append(make('span', { class: 'words', title: trace.words(posted) }, trace.adapter(lane) + '/' + trace.words(posted)),
      make('span', { class: 'status', title: status }, status), make('span', { class: 'time' }, this.length(request)), this.bar(request));
    const ended = trace.requests.ended[request];
    if (ended >= 0 && trace.has(ended, 'bad')) { row.classList.add('bad'); }
    if (this.found[request] === 0) { row.classList.add('dim'); }
  }

  /** Actions that programs reported, between the requests that they posted. */
  fillSaid(row, event) {
    const trace = this.trace;
    const lane = trace.lane[event];
    row.dataset.event = trace.id[event];
    row.classList.add('said');
    if (!this.matches(event)) { row.classList.add('dim'); }
    const bar = make('span', { class: 'bar' });
    if (this.scale === 'run') {
      const [from, to] = this.clock();
      const tick = make('b', { title: micros(trace.nanos[event]) + ' us' });
      tick.style.left = 'calc(' + Math.max(0, Math.min(100, (trace.nanos[event] - from) / (to - from) * 100)) + '% - 1px)';
      bar.append(tick);
    }
    row.append(make('span', { class: 'words', title: trace.words(event) }, trace.adapter(lane) + '/' + trace.laneName(lane) + ': ' + trace.words(event)), bar);
  }

  span(request) {
    const { posted } = this.trace.requests;
    let to = this.trace.nanos[posted[request]];
    MOMENTS.forEach(moment => {
      const place = this.trace.requests[moment][request];
      if (place >= 0) { to = Math.max(to, this.trace.nanos[place]); }
    });
    const waits = this.trace.requests.waits[request];
    for (let i = 2; i < waits.length; i += 3) { to = Math.max(to, waits[i]); }
    return [this.trace.nanos[posted[request]], to];
  }

  length(request) {
    const ended = this.trace.requests.ended[request];
    return ended < 0 ? '' : duration(this.trace.nanos[ended] - this.trace.nanos[this.trace.requests.posted[request]]);
  }

  bounds(request) {
    const [from, to] = this.span(request);
    if (this.scale === 'own') { return [from, Math.max(to, from + 1)]; }
    if (this.scale === 'run') { return this.clock(); }
    if (this.longest === undefined) {
      this.longest = 1;
      for (let i = 0; i < this.trace.requests.count; i++) { this.longest = Math.max(this.longest, this.span(i)[1] - this.span(i)[0]); }
    }
    return [from, from + this.longest];
  }

  /** The time from the first posting to the end of the last request. */
  clock() {
    if (this.whole === undefined) {
      let from = Infinity;
      let to = 0;
      for (let i = 0; i < this.trace.requests.count; i++) {
        const span = this.span(i);
        from = Math.min(from, span[0]);
        to = Math.max(to, span[1]);
      }
      this.whole = [Number.isFinite(from) ? from : this.trace.earliest, Math.max(to, from + 1, this.trace.earliest + 1)];
    }
    return this.whole;
  }

  bar(request) {
    const [from, to] = this.bounds(request);
    const share = nanos => Math.max(0, Math.min(100, (nanos - from) / (to - from) * 100));
    const bar = make('span', { class: 'bar' });
    const waits = this.trace.requests.waits[request];
    const causes = this.trace.scene.requests.causes;
    for (let i = 0; i < waits.length; i += 3) {
      const part = make('i', { class: 'wait-' + causes[waits[i]], title: WAITS[causes[waits[i]]] + ': ' + duration(waits[i + 2] - waits[i + 1]) });
      part.style.left = share(waits[i + 1]) + '%';
      part.style.width = share(waits[i + 2]) - share(waits[i + 1]) + '%';
      bar.append(part);
    }
    MOMENTS.forEach(moment => {
      const place = this.trace.requests[moment][request];
      if (place >= 0) {
        const tick = make('b', { title: moment + ' ' + micros(this.trace.nanos[place]) + ' us' });
        tick.style.left = 'calc(' + share(this.trace.nanos[place]) + '% - 1px)';
        bar.append(tick);
      }
    });
    return bar;
  }

  /** A request matches if any of its events does. */
  matching(state) {
    const found = new Uint8Array(this.trace.requests.count);
    for (let i = 0; i < this.trace.count; i++) {
      if (this.trace.requestOf[i] >= 0 && state.matches(i)) { found[this.trace.requestOf[i]] = 1; }
    }
    return found;
  }

  show(state) {
    this.found = this.matching(state);
    this.matches = state.matches;
    const requests = Array.from(this.trace.requests.posted).filter((place, request) => !state.only || this.found[request] === 1);
    const said = this.said.filter(event => !state.only || state.matches(event));
    const shown = said.length === 0 ? requests : [...requests, ...said].sort((a, b) => a - b);
    const selected = this.rowOf(state.selected);
    this.list.show(shown, selected);
    this.list.reveal(state.reveal ? selected < 0 ? this.near(shown, state.focus) : shown.indexOf(selected) : -1);
  }

  /** The row of an event, or of the last one before it. */
  near(shown, event) {
    const own = event < 0 ? -1 : shown.indexOf(this.rowOf(event));
    return own >= 0 ? own : shown.filter(place => place <= event).length - 1;
  }

  /** The entry of an event in the list: its request, or an action of a program. */
  rowOf(event) {
    const request = event < 0 ? -1 : this.trace.requestOf[event];
    return request >= 0 ? this.trace.requests.posted[request] : event >= 0 && this.trace.has(event, 'program') ? event : -1;
  }
}
