/** Replaces line breaks and control characters with spaces. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

/**
 * Escapes a text for one line of Markdown, also of a table. The text cannot contain markup, HTML, links, mentions,
 * emoji or formulas, and cannot begin a heading, a list or a rule.
 */
export function markdownText(text: string): string {
  return oneLine(text)
    .replace(/[\\`*_{}[\]<>|#&~$^]|[@:](?=\S)/g, '\\$&')
    .replace(/\bwww\./gi, (start) => `${start.slice(0, -1)}\\.`)
    .replace(/^(\d{1,9}(?=[.)])|(?=[-+=]))/, '$1\\');
}

export function markdownCode(text: string): string {
  return `\`${oneLine(text).replaceAll('`', "'")}\``;
}
