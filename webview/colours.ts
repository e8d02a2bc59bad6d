export interface Colours {
  text: string;
  quiet: string;
  grid: string;
  right: string;
  wrong: string;
  font: string;
}

export function themeColours(): Colours {
  const style = getComputedStyle(document.body);
  const read = (...names: string[]) =>
    names.map((name) => style.getPropertyValue(name).trim()).find((value) => value !== '') ?? style.color;
  return {
    text: read('--vscode-foreground'),
    quiet: read('--vscode-descriptionForeground', '--vscode-foreground'),
    grid: read('--vscode-charts-lines', '--vscode-contrastBorder', '--vscode-panel-border'),
    right: read('--vscode-charts-blue'),
    wrong: read('--vscode-charts-orange'),
    font: read('--vscode-font-family'),
  };
}
