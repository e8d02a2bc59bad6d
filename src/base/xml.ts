const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML and XML. Control characters that XML cannot contain become U+FFFD. */
export function escapeXml(text: string): string {
  const escaped = text.replace(/[&<>"']/g, (mark) => entities[mark]);
  return escaped.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '\uFFFD');
}
