/** Joins the lines of a text by single spaces, in linear time. Spaces around line breaks are dropped. */
export function oneLine(text: string): string {
  const lines = text.split(/[\r\n\u2028\u2029]/);
  const last = lines.length - 1;
  return lines
    .map((line, i) => (i === last ? line : line.trimEnd()))
    .map((line, i) => (i === 0 ? line : line.trimStart()))
    .filter((line, i) => line !== '' || i === 0 || i === last)
    .join(' ');
}
