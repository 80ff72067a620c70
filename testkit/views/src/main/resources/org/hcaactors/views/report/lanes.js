// Lanes as columns by adapter, kind and element; each adapter and each kind can be folded to one column.

/** Limits of the width of columns and of the space for arrows between adapters. */
const COLUMN = { least: 54, most: 92 };
const WIRE = { least: 120, most: 250 };
/** Minimum column width if not all adapters fit. */
const NARROW = { column: 34, wire: 14 };
/** Preferred widths; kinds are folded if there is less space. */
const COMFORT = { column: 80, wire: 220 };
const GUTTER = 104;
/** Space for text to the right of all lanes. */
const MARGIN = 170;
/** Kinds that are folded one after the other if not all fit; adapters are folded after them. */
const FOLDING = ['CQs', 'keys', 'SRQs', 'responders', 'host', 'programs', 'QPs'];
/** With more columns than these, kinds are folded from the start; with far more, adapters. */
const MOST_OPEN = 14;
const MOST_COLUMNS = 40;

class Lanes {
  constructor(trace) {
    this.trace = trace;
    this.folded = new Set();
    // What the reader folded or unfolded stays so, whatever the space.
    this.opened = new Set();
    this.closed = new Set();
    this.present = new Set(Array.from(trace.lane));
    this.available = 1000;
    this.adapters = this.gather();
    this.foldAtFirst();
    this.atFirst = new Set(this.folded);
    this.lay();
  }

  gather() {
    const byName = new Map();
    for (let lane = 0; lane < this.trace.scene.lanes.name.length; lane++) {
      const name = this.trace.adapter(lane);
      if (!byName.has(name)) { byName.set(name, { name, rooms: new Map() }); }
      const rooms = byName.get(name).rooms;
      const room = this.trace.room(lane);
      if (!rooms.has(room)) { rooms.set(room, []); }
      rooms.get(room).push(lane);
    }
    const collator = new Intl.Collator('en', { numeric: true });
    const adapters = [...byName.values()].sort((a, b) => collator.compare(a.name, b.name));
    adapters.forEach((adapter, i) => {
      // On the right half, queue pairs are on the left, towards the wire.
      const mirrored = adapters.length > 1 && i >= adapters.length / 2;
      adapter.mirrored = mirrored;
      const rooms = [...adapter.rooms].sort((a, b) => (a[0] - b[0]) * (mirrored ? -1 : 1));
      adapter.rooms = rooms.map(([room, lanes]) => ({
        room,
        key: adapter.name + '\n' + room,
        lanes: lanes.sort((a, b) => collator.compare(this.trace.laneName(a), this.trace.laneName(b))),
      }));
    });
    return adapters;
  }

  foldAtFirst() {
    const columns = () => this.adapters.reduce((sum, adapter) => sum + this.columnsOf(adapter).length, 0);
    const keys = this.trace.scene.lanes.rooms.indexOf('keys');
    this.adapters.forEach(adapter => adapter.rooms.filter(room => room.lanes.length > (room.room === keys ? 2 : 6)).forEach(room => this.folded.add(room.key)));
    if (columns() > MOST_OPEN * 2) {
      this.adapters.forEach(adapter => adapter.rooms.filter(room => room.lanes.length > 1).forEach(room => this.folded.add(room.key)));
    }
    if (columns() > MOST_COLUMNS) { this.adapters.forEach(adapter => this.folded.add(adapter.name)); }
  }

  columnsOf(adapter) {
    if (this.folded.has(adapter.name)) {
      const lanes = adapter.rooms.flatMap(room => room.lanes);
      return lanes.some(lane => this.present.has(lane)) ? [{ label: 'all', key: adapter.name, lanes, folds: true }] : [];
    }
    return adapter.rooms.flatMap(room => {
      const lanes = room.lanes.filter(lane => this.present.has(lane));
      if (this.folded.has(room.key) && lanes.length > 1) {
        return [{ label: lanes.length + ' ' + this.trace.scene.lanes.rooms[room.room], key: room.key, lanes, folds: true }];
      }
      return lanes.map(lane => ({ label: this.trace.laneLabel(lane), key: room.key, lanes: [lane], folds: lanes.length > 1 }));
    });
  }

  /** The positions of all columns, in pixels from the left. */
  lay() {
    this.columns = [];
    this.bands = [];
    this.x = new Float64Array(this.trace.scene.lanes.name.length);
    // The side of a lane that faces the wire.
    this.wire = new Int8Array(this.trace.scene.lanes.name.length);
    const seen = this.adapters.map(adapter => ({ adapter, columns: this.columnsOf(adapter) })).filter(each => each.columns.length > 0);
    const many = seen.reduce((sum, each) => sum + each.columns.length, 0);
    const wires = Math.max(1, seen.length - 1);
    const room = this.available - GUTTER - MARGIN;
    const tight = many * COLUMN.least + wires * WIRE.least > room;
    const narrow = tight && this.adapters.every(adapter => this.folded.has(adapter.name));
    this.column = narrow ? within({ least: NARROW.column, most: COLUMN.most }, (room - wires * NARROW.wire) / many) : within(COLUMN, (room - wires * WIRE.most) / many);
    const wire = narrow ? NARROW.wire : within(WIRE, (room - many * this.column) / wires);
    let at = GUTTER;
    seen.forEach(({ adapter, columns }, i) => {
      const from = at;
      for (const column of columns) {
        column.x = at + this.column / 2;
        column.open = !this.folded.has(column.key);
        column.lanes.forEach(lane => {
          this.x[lane] = column.x;
          this.wire[lane] = adapter.mirrored ? -1 : 1;
        });
        this.columns.push(column);
        at += this.column;
      }
      this.bands.push({ name: adapter.name, from, to: at, open: !this.folded.has(adapter.name) });
      at += i + 1 < seen.length ? wire : 0;
    });
    this.width = at + MARGIN;
  }

  /** @param present lanes with visible events; others have no column */
  fit(available, present) {
    this.available = available;
    this.present = present;
    this.foldToFit();
    this.lay();
  }

  /** True if all columns fit. */
  fits(size) {
    const seen = this.adapters.map(adapter => this.columnsOf(adapter).length).filter(many => many > 0);
    const many = seen.reduce((sum, one) => sum + one, 0);
    return many * size.column + Math.max(0, seen.length - 1) * size.wire <= this.available - GUTTER - MARGIN;
  }

  /** Folds the least important kinds, one after the other, until everything fits. */
  foldToFit() {
    this.folded = new Set([...this.atFirst, ...this.closed]);
    const rooms = this.trace.scene.lanes.rooms;
    for (const kind of FOLDING) {
      if (this.fits(kind === 'QPs' ? { column: COLUMN.least, wire: WIRE.least } : COMFORT)) { break; }
      this.adapters.forEach(adapter => adapter.rooms
        .filter(room => rooms[room.room] === kind && room.lanes.filter(lane => this.present.has(lane)).length > 1)
        .forEach(room => this.folded.add(room.key)));
    }
    if (!this.fits({ column: COLUMN.least, wire: WIRE.least })) { this.adapters.forEach(adapter => this.folded.add(adapter.name)); }
    this.opened.forEach(key => this.folded.delete(key));
  }

  fold(key) {
    if (this.folded.delete(key)) {
      this.opened.add(key);
      this.closed.delete(key);
    } else {
      this.folded.add(key);
      this.opened.delete(key);
      this.closed.add(key);
    }
    this.lay();
  }

  unfoldAll() {
    this.adapters.forEach(adapter => [adapter.name, ...adapter.rooms.map(room => room.key)].forEach(key => this.opened.add(key)));
    this.folded.clear();
    this.closed.clear();
    this.lay();
  }

  /** Resets what the reader has folded or unfolded. */
  foldAgain() {
    this.opened.clear();
    this.foldToFit();
    this.lay();
  }

  /** The visible heads as buttons, each of which folds its columns. */
  heads(holder, left, width, onFold) {
    holder.replaceChildren(make('span', {}, 'us'));
    const seen = (from, to) => to > left && from < left + width;
    const button = (kind, from, to, label, key, folds, open) => {
      const head = make('button', {
        class: kind, 'data-lane': label, 'aria-expanded': folds ? String(open) : undefined,
        title: folds ? label + (open ? ': fold' : ': unfold') : label, on: folds ? { click: () => onFold(key) } : {},
      }, label);
      head.style.left = (from - left + 2) + 'px';
      head.style.width = (to - from - 4) + 'px';
      holder.append(head);
    };
    this.bands.filter(band => seen(band.from, band.to)).forEach(band =>
      button('band', Math.max(band.from, left), Math.min(band.to, left + width), band.name, band.name, true, band.open));
    this.columns.filter(column => seen(column.x - this.column / 2, column.x + this.column / 2)).forEach(column =>
      button('lane', column.x - this.column / 2, column.x + this.column / 2, column.label, column.key, column.folds, column.open));
  }
}

function within({ least, most }, value) { return Math.max(least, Math.min(most, value)); }
