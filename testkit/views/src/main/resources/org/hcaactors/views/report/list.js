// A long list that creates elements only for its visible rows.

class LongList {
  /** @param fill fills a row's element */
  constructor(element, rowHeight, fill, onSelect) {
    this.element = element;
    this.rowHeight = rowHeight;
    this.fill = fill;
    this.rows = [];
    this.selected = -1;
    this.extent = make('div', {});
    element.classList.add('list');
    element.tabIndex = 0;
    element.append(this.extent);
    element.addEventListener('scroll', () => requestAnimationFrame(() => this.draw()));
    element.addEventListener('click', click => {
      const row = click.target.closest('.row');
      if (row) { onSelect(Number(row.dataset.place)); }
    });
  }

  /** @param rows indexes of events */
  show(rows, selected) {
    this.rows = rows;
    this.selected = selected;
    this.extent.style.height = Math.min(MOST_PIXELS, rows.length * this.rowHeight) + 'px';
    this.draw();
  }

  reveal(row) {
    if (row < 0) { return; }
    const y = row * this.rowHeight;
    const { scrollTop, clientHeight } = this.element;
    if (y < scrollTop || y > scrollTop + clientHeight - this.rowHeight) { this.element.scrollTop = y - clientHeight / 2; }
  }

  draw() {
    const first = Math.max(0, Math.floor(this.element.scrollTop / this.rowHeight));
    const last = Math.min(this.rows.length, first + Math.ceil(this.element.clientHeight / this.rowHeight) + 1);
    const rows = [];
    for (let i = first; i < last; i++) {
      const row = make('div', { class: 'row' + (this.rows[i] === this.selected ? ' selected' : '') });
      row.dataset.place = this.rows[i];
      row.style.top = i * this.rowHeight + 'px';
      row.style.height = this.rowHeight + 'px';
      this.fill(row, this.rows[i]);
      rows.push(row);
    }
    this.extent.replaceChildren(...rows);
  }
}

/** All events, one per line. */
class Events {
  constructor(trace, element, onSelect) {
    this.trace = trace;
    const rows = make('div', {});
    element.append(make('div', { class: 'row head' }, ...['event', 'us', 'adapter', 'lane', 'type', 'what happened'].map(title => make('span', {}, title))), rows);
    this.list = new LongList(rows, 20, (row, event) => this.fill(row, event), onSelect);
  }

  fill(row, event) {
    const trace = this.trace;
    row.dataset.event = trace.id[event];
    if (trace.has(event, 'bad')) { row.classList.add('bad'); }
    if (!this.matches(event)) { row.classList.add('dim'); }
    row.append(make('span', { class: 'number' }, String(trace.id[event])), make('span', { class: 'time' }, micros(trace.nanos[event])),
      make('span', {}, trace.adapter(trace.lane[event])), make('span', {}, trace.laneName(trace.lane[event])),
      make('span', {}, trace.type(event)), make('span', { class: 'words', title: trace.words(event) }, trace.words(event)));
  }

  show(state) {
    this.matches = state.matches;
    const events = Array.from(state.rows.events);
    this.list.show(events, state.selected);
    this.list.reveal(state.reveal ? events.indexOf(state.selected < 0 ? state.focus : state.selected) : -1);
  }
}
