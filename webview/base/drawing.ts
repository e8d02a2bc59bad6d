import type { Drawing } from '../../src/chart/drawing';
import { inkStyles } from '../../src/chart/inks';
import { pageSvg } from '../../src/chart/svg';

/** The colours of drawings in a view. drawing.css has the other styles. */
export function drawingColours(): CSSStyleSheet {
  const colours = new CSSStyleSheet();
  colours.replaceSync(
    inkStyles(
      {
        text: 'currentColor',
        blue: 'var(--right)',
        orange: 'var(--wrong)',
        line: 'var(--quiet)',
        paper: 'var(--vscode-editor-background)',
      },
      // Other parts of the page have classes of the same names.
      '.chart',
    ),
  );
  return colours;
}

/** The figure of a drawing; empty if there is nothing to draw. */
export function svgOf(drawing: Drawing | undefined): Element[] {
  if (drawing === undefined) return [];
  return [...new DOMParser().parseFromString(pageSvg(drawing), 'text/html').body.children];
}
