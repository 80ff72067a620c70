// The life of each work request as a bar: what it waited for by colour and pattern, its moments as ticks.

const WAITS = {
  queue: 'behind others, or for a window', flight: 'on the wire', loss: 'until a loss was noticed', not_ready: 'peer not ready',
  page: 'page absent', poll: 'done, not yet polled',
};
const MOMENTS = ['posted', 'first', 'last', 'answered', 'ended', 'polled'];

class Requests {
  constructor(trace, element, onSelect) {
    this.trace = trace;
    this.scale = 'own';
    const choice = make('select', { 'aria-label': 'scale', on: { change: change => { this.scale = change.target.value; this.list.draw(); } } },
      make('option', { value: 'own' }, 'each to its own length'), make('option', { value: 'start' }, 'from its posting, one scale'), make('option', { value: 'run' }, 'on the run\'s clock'));
    const legend = make('div', { class: 'legend' }, choice, ...Object.entries(WAITS).map(([cause, words]) => make('span', {}, make('i', { class: 'wait-' + cause }), words)),
      make('span', {}, 'ticks: posted, first and last packet, answer, completion, poll'));
    const list = make('div', {});
    element.append(legend, list);
    this.list = new LongList(list, 24, (row, event) => this.fill(row, event), onSelect);
    this.byPosting = new Map(Array.from(trace.requests.posted, (place, request) => [place, request]));
  }

  fill(row, posted) {
    const trace = this.trace;
    const request = this.byPosting.get(posted);
    const status = trace.requests.status[request];
    row.dataset.event = trace.id[posted];
    const lane = trace.lane[posted];
    row.append(make('span', { class: 'words', title: trace.words(posted) }, trace.adapter(lane) + '/' + trace.words(posted)),
      make('span', { class: 'status', title: status }, status), make('span', { class: 'time' }, this.length(request)), this.bar(request));
    const ended = trace.requests.ended[request];
    if (ended >= 0 && trace.has(ended, 'bad')) { row.classList.add('bad'); }
    if (this.found[request] === 0) { row.classList.add('dim'); }
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
    if (this.longest === undefined) {
      this.longest = 1;
      for (let i = 0; i < this.trace.requests.count; i++) { this.longest = Math.max(this.longest, this.span(i)[1] - this.span(i)[0]); }
    }
    return this.scale === 'start' ? [from, from + this.longest] : [this.trace.earliest, Math.max(this.trace.latest, this.trace.earliest + 1)];
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

  /** A request matches if anything of it does. */
  matching(state) {
    const found = new Uint8Array(this.trace.requests.count);
    for (let i = 0; i < this.trace.count; i++) {
      if (this.trace.requestOf[i] >= 0 && state.matches(i)) { found[this.trace.requestOf[i]] = 1; }
    }
    return found;
  }

  show(state) {
    this.found = this.matching(state);
    const shown = Array.from(this.trace.requests.posted).filter((place, request) => !state.only || this.found[request] === 1);
    const request = state.selected < 0 ? -1 : this.trace.requestOf[state.selected];
    const selected = request < 0 ? -1 : this.trace.requests.posted[request];
    this.list.show(shown, selected);
    this.list.reveal(state.reveal ? shown.indexOf(selected) : -1);
  }
}
