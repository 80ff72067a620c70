// The whole run as a strip next to the ladder: activity, failures, and the visible part.

class Overview {
  constructor(canvas, trace, rows, onJump) {
    this.canvas = canvas;
    this.trace = trace;
    this.rows = rows;
    const jump = mouse => {
      if (mouse.buttons === 1) { onJump((mouse.offsetY / canvas.clientHeight) * this.rows.height); }
    };
    canvas.addEventListener('pointerdown', jump);
    canvas.addEventListener('pointermove', jump);
  }

  /** Counts again; to be called when rows change. */
  count() {
    const height = Math.max(1, this.canvas.clientHeight);
    this.many = new Float64Array(height);
    this.bad = new Float64Array(height);
    this.rows.events.forEach((event, row) => {
      const line = Math.min(height - 1, Math.floor(this.rows.y[row] / Math.max(1, this.rows.height) * height));
      this.many[line]++;
      if (this.trace.has(event, 'bad')) { this.bad[line]++; }
    });
    this.most = this.many.reduce((a, b) => Math.max(a, b), 1);
  }

  draw(top, seen, scale) {
    const palette = PALETTES[document.body.dataset.theme];
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    if (this.many === undefined || this.many.length !== Math.max(1, height)) { this.count(); }
    this.canvas.width = width * scale;
    this.canvas.height = height * scale;
    const pen = this.canvas.getContext('2d');
    pen.scale(scale, scale);
    for (let y = 0; y < this.many.length; y++) {
      if (this.many[y] > 0) {
        pen.fillStyle = this.bad[y] > 0 ? palette.bad : palette.quiet;
        pen.globalAlpha = this.bad[y] > 0 ? 1 : 0.25 + 0.6 * this.many[y] / this.most;
        const wide = this.bad[y] > 0 ? width : 4 + (width - 8) * this.many[y] / this.most;
        pen.fillRect(0, y, wide, 1);
      }
    }
    pen.globalAlpha = 1;
    pen.strokeStyle = palette.accent;
    pen.lineWidth = 2;
    const y = top / Math.max(1, this.rows.height) * height;
    pen.strokeRect(1, y + 1, width - 2, Math.max(6, Math.min(height, seen / Math.max(1, this.rows.height) * height) - 2));
  }
}
