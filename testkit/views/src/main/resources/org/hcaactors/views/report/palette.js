// Colours that colour-blind readers can distinguish, in both themes; shapes and letters carry the same information.

const PALETTES = {
  light: {
    ground: '#ffffff', raised: '#f1f3f5', ink: '#1b1f24', quiet: '#5c6670', line: '#d5dae0', bad: '#9d0303', accent: '#0b40d8', alarm: '#fdf1f0',
    classes: { send: '#0b40d8', write: '#d97f09', read: '#0ba570', atomic: '#8a2288', acknowledge: '#1f1e23', control: '#9d0303' },
    waits: { queue: '#aab4be', flight: '#4f7fd0', loss: '#9d0303', not_ready: '#d97f09', page: '#8a2288', poll: '#e3d36b' },
  },
  dark: {
    ground: '#14181d', raised: '#222a33', ink: '#e8ebee', quiet: '#98a4b0', line: '#36404b', bad: '#ff6b78', accent: '#b3c7fd', alarm: '#2a181b',
    classes: { send: '#b3c7fd', write: '#fcb901', read: '#52fcc1', atomic: '#b419d1', acknowledge: '#7a7080', control: '#e7102c' },
    waits: { queue: '#5b6672', flight: '#6f9cf0', loss: '#e7102c', not_ready: '#fcb901', page: '#c65fe0', poll: '#8d8340' },
  },
};

const LETTERS = { send: 'S', write: 'W', read: 'R', atomic: 'A', acknowledge: '', control: '!' };

/** Sets the same colours for the styles. */
function applyTheme(name) {
  const palette = PALETTES[name];
  document.body.dataset.theme = name;
  const style = document.documentElement.style;
  style.colorScheme = name;
  ['ground', 'raised', 'ink', 'quiet', 'line', 'bad', 'accent', 'alarm'].forEach(key => style.setProperty('--' + key, palette[key]));
  Object.entries(palette.waits).forEach(([cause, colour]) => style.setProperty('--wait-' + cause, colour));
}
