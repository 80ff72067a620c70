// States over time: queue pairs and responders as bands, page faults and revocations of keys, queue depths as plots.

const BAND = 20;
const MOST_STRIPS = 60;
const MOST_PLOTS = 24;
const STATES = {
  RESET: 'line', INIT: 'quiet', RTR: 'flight', RTS: 'read', SQD: 'poll', SQE: 'not_ready', ERR: 'bad', ENDED: 'line',
  connecting: 'poll', reconnecting: 'not_ready', connected: 'read', disconnecting: 'poll', disconnected: 'line',
  opened: 'read', closed: 'line', 'told to come again': 'not_ready', 'no responder': 'bad', 'wrong key': 'bad',
};

class Strips {
  constructor(trace, element) {
    this.trace = trace;
    this.element = element;
    this.plots = [];
    this.by = 'event';
    this.reset();
  }

  /** Position of an event: its time in microseconds, or its index, so that long gaps take no space. */
  at(place) { return this.by === 'event' ? place : this.trace.nanos[place] / 1000; }

  reset() {
    const none = this.trace.count === 0;
    this.begin = none || this.by === 'event' ? 0 : this.trace.earliest / 1000;
    this.end = Math.max(this.by === 'event' ? this.trace.count - 1 : this.trace.latest / 1000, this.begin + 1);
    this.range = [this.begin, this.end];
  }

  /** Label of an axis. */
  label(value) {
    return this.by === 'time' ? String(value) : micros(this.trace.nanos[Math.max(0, Math.min(this.trace.count - 1, Math.round(value)))]);
  }

  show(state) {
    const strips = this.trace.scene.strips;
    const seen = lane => !state.only || state.seesLane(lane);
    this.plots.forEach(plot => plot.destroy());
    this.plots = [];
    this.bands = [];
    this.element.replaceChildren(make('div', { class: 'legend' }, 'drag in a plot to enlarge a part',
      make('button', { on: { click: () => this.zoom([this.begin, this.end]) } }, 'all'),
      make('button', { id: 'by', on: { click: () => { this.by = this.by === 'event' ? 'time' : 'event'; this.reset(); this.show(state); } } }, this.by === 'event' ? 'scale: equal width for each event' : 'scale: time in us')));
    this.section('States', strips.states.filter(strip => seen(strip[0])), strip => this.stateBand(strip));
    this.section('Sessions of initiators and targets', strips.sessions.filter(strip => seen(strip[0])), strip => this.stateBand(strip));
    this.section('Pages: page faults (wide); keys and pages: invalidated (red), changed (blue)', this.lanesOfMemory().filter(seen), lane => this.memoryBand(lane));
    const depths = strips.depths.filter(line => seen(line[0]));
    this.section('Depths', depths.slice(0, MOST_PLOTS), line => this.plot(line));
    if (depths.length > MOST_PLOTS) { this.element.append(make('p', {}, (depths.length - MOST_PLOTS) + ' more: filter by hca: or lane:')); }
    this.drawBands();
  }

  section(title, items, add) {
    if (items.length === 0) { return; }
    this.element.append(make('h3', {}, title));
    items.slice(0, MOST_STRIPS).forEach(add);
    if (items.length > MOST_STRIPS) { this.element.append(make('p', {}, (items.length - MOST_STRIPS) + ' more: filter by hca: or lane:')); }
  }

  name(lane) { return this.trace.adapter(lane) + '/' + this.trace.laneName(lane); }

  band(lane, draw) {
    const canvas = make('canvas', { role: 'img', 'aria-label': this.name(lane) });
    this.element.append(make('div', { class: 'strip' }, make('span', { title: this.name(lane) }, this.name(lane)), canvas));
    this.bands.push({ canvas, draw });
  }

  stateBand(strip) {
    this.band(strip[0], (pen, x, width, palette) => {
      for (let i = 1; i < strip.length; i += 2) {
        const from = x(this.at(strip[i] - 1));
        const to = i + 2 < strip.length ? x(this.at(strip[i + 2] - 1)) : width;
        const state = this.trace.texts[strip[i + 1]];
        const colour = STATES[state] || 'quiet';
        pen.fillStyle = palette[colour] || palette.waits[colour] || palette.classes[colour];
        pen.fillRect(from, 2, Math.max(1.5, to - from), BAND - 4);
        if (to - from > 6.5 * state.length + 6) {
          pen.font = '11px system-ui, sans-serif';
          pen.textBaseline = 'middle';
          pen.strokeStyle = palette.ground;
          pen.lineWidth = 3;
          const at = Math.max(from, 0) + 5;
          pen.strokeText(state, at, BAND / 2);
          pen.fillStyle = palette.ink;
          pen.fillText(state, at, BAND / 2);
        }
      }
    });
  }

  lanesOfMemory() {
    const strips = this.trace.scene.strips;
    return [...new Set([...strips.pages.map(one => one[0]), ...strips.revocations.map(one => one[0])])];
  }

  memoryBand(lane) {
    const strips = this.trace.scene.strips;
    this.band(lane, (pen, x, width, palette) => {
      pen.fillStyle = palette.waits.page;
      strips.pages.filter(one => one[0] === lane).forEach(([, raised, ended]) => {
        const from = x(this.at(raised - 1));
        const to = ended > 0 ? x(this.at(ended - 1)) : width;
        pen.fillRect(from, 4, Math.max(2, to - from), BAND - 8);
      });
      strips.revocations.filter(one => one[0] === lane).forEach(([, event, gone]) => {
        pen.fillStyle = gone === 1 ? palette.bad : palette.accent;
        const at = x(this.at(event - 1));
        pen.fillRect(at - 1, 0, 2.5, BAND);
      });
    });
  }

  plot(line) {
    const times = [this.begin];
    const depths = [0];
    for (let i = 2; i < line.length; i += 2) {
      // A plot needs ascending times, which a real clock with several threads may not give.
      times.push(Math.max(times[times.length - 1], this.at(line[i] - 1)));
      depths.push(line[i + 1]);
    }
    times.push(this.end);
    depths.push(depths[depths.length - 1]);
    const palette = PALETTES[document.body.dataset.theme];
    const label = this.name(line[0]) + ' ' + this.trace.texts[line[1]];
    const holder = make('div', {});
    this.element.append(make('div', { class: 'strip' }, make('span', { title: label }, label), holder));
    const axis = { stroke: palette.quiet, grid: { stroke: palette.line, width: 1 }, ticks: { stroke: palette.line } };
    this.plots.push(new uPlot({
      width: Math.max(200, holder.clientWidth), height: 96, padding: [8, 18, 0, 0], legend: { show: false },
      cursor: { sync: { key: 'time' }, drag: { x: true, y: false } },
      scales: { x: { time: false, min: this.range[0], max: this.range[1] }, y: { range: (plot, least, most) => [0, Math.max(1, most) * 1.1] } },
      axes: [{ ...axis, size: 24, values: (plot, all) => all.map(value => this.label(value)) }, { ...axis, size: 40 }],
      series: [{}, { stroke: palette.accent, fill: palette.accent + '33', width: 1.5, paths: uPlot.paths.stepped({ align: 1 }), points: { show: false } }],
      hooks: { setScale: [(plot, scale) => { if (scale === 'x') { this.zoom([plot.scales.x.min, plot.scales.x.max]); } }] },
    }, [times, depths], holder));
  }

  /** All of them show the same time span. */
  zoom(range) {
    if (this.zooming || range[0] === this.range[0] && range[1] === this.range[1] || !(range[1] > range[0])) { return; }
    this.zooming = true;
    this.range = range;
    this.plots.forEach(plot => plot.setScale('x', { min: range[0], max: range[1] }));
    this.zooming = false;
    this.drawBands();
  }

  drawBands() {
    const palette = PALETTES[document.body.dataset.theme];
    const scale = window.devicePixelRatio || 1;
    this.bands.forEach(({ canvas, draw }) => {
      const width = canvas.clientWidth;
      canvas.width = width * scale;
      canvas.height = BAND * scale;
      canvas.style.height = BAND + 'px';
      const pen = canvas.getContext('2d');
      pen.scale(scale, scale);
      // The plots have their axis to the left of the beginning of time.
      const left = 40;
      const x = at => left + (at - this.range[0]) / (this.range[1] - this.range[0]) * (width - left - 18);
      pen.save();
      pen.beginPath();
      pen.rect(left, 0, width - left - 18, BAND);
      pen.clip();
      draw(pen, x, width, palette);
      pen.restore();
    });
  }
}
