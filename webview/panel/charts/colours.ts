import { opaque } from '../../base/format';

export interface Colours {
  text: string;
  quiet: string;
  grid: string;
  right: string;
  wrong: string;
  /** The colour of rows without a verdict. */
  none: string;
  /** The colour of all rows behind those of a filter. */
  behind: string;
  font: string;
}

export function themeColours(): Colours {
  const style = getComputedStyle(document.body);
  const read = (...names: string[]) =>
    names.map((name) => style.getPropertyValue(name).trim()).find((value) => value !== '') ?? style.color;
  // In the light high-contrast theme, the variable for orange contains a blue that resembles the colour of
  // right rows.
  const isLight = document.body.classList.contains('vscode-high-contrast-light');
  const wrong = isLight ? ['--vscode-charts-red'] : ['--vscode-charts-orange'];
  return {
    text: read('--vscode-foreground'),
    quiet: read('--vscode-descriptionForeground', '--vscode-foreground'),
    grid: read('--vscode-contrastBorder', '--vscode-panel-border', '--vscode-charts-lines'),
    right: read('--vscode-charts-blue'),
    // The same colour as `--wrong` in the style sheet.
    wrong: opaque(read(...wrong, '--vscode-editorWarning-foreground')),
    none: read('--vscode-charts-lines', '--vscode-descriptionForeground'),
    behind: read('--behind'),
    font: read('--vscode-font-family'),
  };
}
