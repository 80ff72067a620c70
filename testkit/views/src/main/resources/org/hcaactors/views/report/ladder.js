// The ladder: time runs down, each lane is a part of an adapter, each arrow a packet from its sender to its receiver.

const HIT = 8;
/** Maximum arrows and marks in one frame; those beyond are counted. */
const MOST_DRAWN = 6000;
/** Distance from the last event to the mark of a failed test. */
const END = 24;
/** Characters of its assertion in the mark. */
const MOST_OF_END = 100;

class Ladder {
  constructor(trace, lanes, rows) {
    this.trace = trace;
    this.lanes = lanes;
    this.rows = rows;
    this.arrows = new Arrows(trace, this);
    this.words = new Words();
    this.ways = new Spans(trace.ways.from, trace.ways.to, trace.count);
    // What does not end reaches to the last event.
    const ends = Array.from(trace.requests.until, place => place < 0 ? trace.count - 1 : place);
    this.brackets = new Spans(trace.requests.posted, ends, trace.count);
    this.depth = this.depths(trace.requests.posted, ends);
    /** The test that failed at the end of this run. */
    this.failed = null;
    this.found = null;
    this.kin = null;
    this.selected = -1;
    this.hits = [];
    this.limit = MOST_DRAWN;
  }

  /** Overlapping requests of one lane are drawn side by side. */
  depths(starts, ends) {
    const depth = new Uint8Array(starts.length);
    const open = new Map();
    starts.forEach((start, request) => {
      const lane = this.trace.lane[start];
      if (!open.has(lane)) { open.set(lane, []); }
      const columns = open.get(lane);
      let free = columns.findIndex(end => end < start);
      if (free < 0) { free = Math.min(columns.length, 5); }
      columns[free] = Math.max(ends[request], start);
      depth[request] = free;
    });
    return depth;
  }

  /** Draws the visible part; tally receives everything that is drawn. */
  draw(pen, view, tally) {
    this.pen = pen;
    this.view = view;
    this.tally = tally || (() => {});
    this.palette = PALETTES[document.body.dataset.theme];
    this.hits = [];
    this.drawn = 0;
    this.beyond = 0;
    this.words.begin();
    pen.setTransform(view.scale, 0, 0, view.scale, 0, 0);
    pen.fillStyle = this.palette.ground;
    pen.fillRect(0, 0, view.width, view.height);
    pen.textBaseline = 'middle';
    pen.direction = 'ltr';
    this.drawLanes();
    if (this.rows.events.length === 0) { this.drawNothing(); return; }
    const first = Math.max(0, this.rows.at(view.top - 20) - 1);
    const last = Math.min(this.rows.events.length - 1, this.rows.at(view.top + view.height + 20));
    const from = this.rows.events[first];
    const to = this.rows.events[last];
    this.drawGaps(first, last);
    this.brackets.each(from, to, request => this.drawBracket(request));
    for (let row = first; row <= last; row++) { this.drawLink(this.rows.events[row]); }
    this.ways.each(from, to, way => this.arrows.draw(way));
    for (let row = first; row <= last; row++) { this.drawEvent(this.rows.events[row], row); }
    this.words.draw(pen, this.palette.ground, view.width - 4);
    this.drawEnd(last);
    this.drawTimes(first, last);
    if (this.beyond > 0) { this.note(this.beyond + ' more here: make it larger (+)', GUTTER, 10, this.palette.bad); }
  }

  x(lane) { return this.lanes.x[lane] - this.view.left; }
  y(event) { return this.rows.yOf(event) - this.view.top; }
  alpha(event) {
    const near = this.isNear(event);
    if (this.found && this.found[event] === 0) { return near ? 0.7 : 0.16; }
    return this.kin && !near ? 0.35 : 1;
  }
  /** Highlights the selection, its causes and effects, and its whole work request. */
  isNear(event) {
    if (this.selected < 0) { return false; }
    const request = this.trace.requestOf[this.selected];
    return event === this.selected || request >= 0 && this.trace.requestOf[event] === request || this.kin.past.has(event) || this.kin.future.has(event);
  }

  room() {
    if (this.drawn < this.limit) { this.drawn++; return true; }
    this.beyond++;
    return false;
  }

  drawNothing() { this.note('nothing matches', GUTTER + 10, 30, this.palette.quiet); }

  note(text, x, y, colour) {
    this.pen.globalAlpha = 1;
    this.pen.font = '12px system-ui, sans-serif';
    this.pen.fillStyle = colour;
    this.pen.fillText(text, x, y);
  }

  drawLanes() {
    const pen = this.pen;
    pen.globalAlpha = 1;
    pen.lineWidth = 1;
    pen.setLineDash([]);
    pen.strokeStyle = this.palette.line;
    pen.beginPath();
    for (const column of this.lanes.columns) {
      const x = Math.round(column.x - this.view.left) + 0.5;
      if (x > -1 && x < this.view.width + 1) { pen.moveTo(x, 0); pen.lineTo(x, this.view.height); }
    }
    pen.stroke();
  }

  drawGaps(first, last) {
    const pen = this.pen;
    for (let row = Math.max(1, first); row <= last; row++) {
      if (this.rows.torn.has(row)) {
        const y = (this.rows.y[row] + this.rows.y[row - 1]) / 2 - this.view.top;
        pen.globalAlpha = 1;
        pen.setLineDash([2, 5]);
        pen.strokeStyle = this.palette.quiet;
        pen.beginPath();
        pen.moveTo(GUTTER - this.view.left, y);
        pen.lineTo(this.lanes.width - MARGIN - this.view.left, y);
        pen.stroke();
        pen.setLineDash([]);
      }
    }
  }

  drawTimes(first, last) {
    const pen = this.pen;
    pen.globalAlpha = 1;
    pen.fillStyle = this.palette.ground;
    pen.fillRect(0, 0, GUTTER - 14, this.view.height);
    pen.font = '11px ui-monospace, monospace';
    pen.textAlign = 'right';
    let below = -Infinity;
    let before = '';
    for (let row = first; row <= last; row++) {
      const y = this.rows.y[row] - this.view.top;
      const gap = this.rows.torn.get(row);
      if (gap !== undefined && y - below >= LABEL_ROOM) {
        pen.fillStyle = this.palette.bad;
        pen.fillText('+' + duration(gap), GUTTER - 20, y);
        below = y;
      } else if (y - below >= 15) {
        const time = micros(this.trace.nanos[this.rows.events[row]]);
        if (time !== before) {
          pen.fillStyle = this.palette.quiet;
          pen.fillText(time, GUTTER - 20, y);
          before = time;
          below = y;
        }
      }
    }
    pen.textAlign = 'left';
  }

  /** The mark behind the last event of a run in which a test failed. */
  drawEnd(last) {
    if (this.failed === null || last < this.rows.events.length - 1) { return; }
    const pen = this.pen;
    const y = this.rows.y[last] + END - this.view.top;
    pen.globalAlpha = 1;
    pen.fillStyle = this.palette.bad;
    pen.fillRect(0, y - 1, this.view.width, 2);
    pen.font = 'bold 12px system-ui, sans-serif';
    pen.textAlign = 'left';
    const said = 'here the test failed: ' + firstLine(this.failed.assertion);
    const text = said.length > MOST_OF_END ? said.slice(0, MOST_OF_END - 1) + '…' : said;
    pen.lineWidth = 5;
    pen.strokeStyle = this.palette.ground;
    pen.strokeText(text, GUTTER, y + 13);
    pen.fillText(text, GUTTER, y + 13);
  }

  drawBracket(request) {
    const posted = this.trace.requests.posted[request];
    if (!this.rows.isShown(posted)) { return; }
    const ended = this.trace.requests.ended[request];
    const until = this.trace.requests.until[request];
    const x = this.x(this.trace.lane[posted]) - 7 - 4 * this.depth[request];
    const top = this.y(posted);
    const bottom = until < 0 ? this.rows.height - this.view.top : this.y(until);
    this.tally('request', request);
    if (x < 0 || x > this.view.width || !this.room()) { return; }
    const pen = this.pen;
    const ok = ended < 0 || !this.trace.has(ended, 'bad');
    pen.globalAlpha = this.alpha(posted) * 0.8;
    pen.strokeStyle = ok ? this.palette.quiet : this.palette.bad;
    pen.lineWidth = this.selected >= 0 && this.trace.requestOf[this.selected] === request ? 2.5 : 1;
    pen.beginPath();
    pen.moveTo(x + 4, top);
    pen.lineTo(x, top);
    pen.lineTo(x, bottom);
    if (ended >= 0) { pen.lineTo(x + 4, bottom); }
    pen.stroke();
    this.hits.push({ event: posted, x0: x, y0: top, x1: x, y1: bottom });
  }

  /** An arrow within an adapter: from the event's cause in another lane. */
  drawLink(event) {
    const cause = this.trace.cause[event];
    if (cause < 0 || this.trace.isOfFabric(event) || !this.rows.isShown(cause)) { return; }
    const from = this.x(this.trace.lane[cause]);
    const to = this.x(this.trace.lane[event]);
    if (from === to || this.trace.adapter(this.trace.lane[cause]) !== this.trace.adapter(this.trace.lane[event])) { return; }
    const pen = this.pen;
    pen.globalAlpha = this.alpha(event) * 0.7;
    pen.strokeStyle = this.palette.quiet;
    pen.lineWidth = 1;
    pen.setLineDash([1, 3]);
    pen.beginPath();
    pen.moveTo(from, this.y(cause));
    pen.lineTo(to, this.y(event));
    pen.stroke();
    pen.setLineDash([]);
  }

  /** Draws a text next to a mark, if it is visible. */
  say(text, x, y, colour, lane, align) {
    if (y >= -10 && y <= this.view.height + 10) { this.words.add(text, x, y, colour, lane, align || 'left', this.pen.globalAlpha); }
  }

  drawEvent(event, row) {
    this.tally('event', event);
    if (this.trace.isEntry(event) || this.trace.type(event) === 'fabric:delivered' || this.trace.type(event) === 'fabric:dropped') {
      if (event === this.selected) { this.ring(event); }
      return;
    }
    if (!this.room()) { return; }
    const x = this.x(this.trace.lane[event]);
    const y = this.rows.y[row] - this.view.top;
    const bad = this.trace.has(event, 'bad');
    const pen = this.pen;
    pen.globalAlpha = this.alpha(event);
    pen.fillStyle = bad ? this.palette.bad : this.trace.has(event, 'detail') ? this.palette.quiet : this.palette.accent;
    this.shape(event, x, y);
    if (event === this.selected) { this.ring(event); }
    const again = this.trace.has(event, 'back');
    this.say(this.trace.words(event), x + 9, y,
      bad || again ? this.palette.bad : this.trace.has(event, 'detail') ? this.palette.quiet : this.palette.ink, 'at' + Math.round(x));
    this.hits.push({ event, x0: x, y0: y, x1: x, y1: y });
  }

  /** A completion is a square, an action of the testkit a diamond, every other event a circle. */
  shape(event, x, y) {
    const pen = this.pen;
    pen.beginPath();
    if (this.trace.has(event, 'completion')) {
      pen.rect(x - 4, y - 4, 8, 8);
    } else if (this.trace.has(event, 'bench')) {
      pen.moveTo(x, y - 6); pen.lineTo(x + 6, y); pen.lineTo(x, y + 6); pen.lineTo(x - 6, y); pen.closePath();
    } else {
      pen.arc(x, y, this.trace.has(event, 'detail') ? 2 : 3.2, 0, 2 * Math.PI);
    }
    pen.fill();
  }

  ring(event) {
    const place = this.place(event);
    const pen = this.pen;
    pen.globalAlpha = 1;
    pen.strokeStyle = this.palette.accent;
    pen.lineWidth = 2;
    pen.beginPath();
    pen.arc(place.x, place.y, 9, 0, 2 * Math.PI);
    pen.stroke();
  }

  /** Position of an event's mark, relative to the visible part. */
  place(event) {
    const way = this.trace.wayAt[event];
    if (way < 0) { return { x: this.x(this.trace.lane[event]), y: this.y(event) }; }
    const line = this.arrows.line(way);
    return this.trace.isEntry(event) ? { x: line.start, y: line.top } : { x: line.end, y: line.bottom };
  }

  /** The event at a point: a mark takes precedence over a line. */
  at(x, y) {
    let best = -1;
    let least = HIT * HIT;
    for (const hit of this.hits) {
      const near = distance(hit, x, y) + (hit.x0 === hit.x1 && hit.y0 === hit.y1 ? 0 : 9);
      if (near < least) { least = near; best = hit.event; }
    }
    return best;
  }
}

/** A single line as it is; of several lines, the first six joined. */
function firstLine(text) {
  const lines = text.split('\n').map(line => line.trim()).filter(line => line !== '');
  return lines.length === 0 ? '' : lines.length === 1 ? lines[0] : lines.slice(0, 6).join(' ');
}

/** Squared distance from a point to a line. */
function distance(line, x, y) {
  const dx = line.x1 - line.x0;
  const dy = line.y1 - line.y0;
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - line.x0) * dx + (y - line.y0) * dy) / length));
  const px = line.x0 + along * dx - x;
  const py = line.y0 + along * dy - y;
  return px * px + py * py;
}
