/**
 * Control characters except tabs and line feeds, characters that change the text direction, and characters without a
 * width. Joiners stay, because emoji and some scripts need them.
 */
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]/g;

/** Escapes hidden characters as in JSON, because a text from a file, a model or a server must not look like another. */
export function visible(text: string): string {
  return text.replace(hidden, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
