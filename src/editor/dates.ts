import * as vscode from 'vscode';

/** Dates follow the language of the texts around them, which is English without a translation. */
function language(): string {
  return vscode.l10n.bundle === undefined ? 'en' : vscode.env.language;
}

/** Such as "Nov 22, 2:03 PM". */
export function shortDate(date: Date): string {
  return date.toLocaleString(language(), {
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
    ...(date.getFullYear() === new Date().getFullYear() ? {} : { year: 'numeric' }),
  });
}

/** Such as "Nov 22". */
export function shortDay(date: Date): string {
  return date.toLocaleDateString(language(), { day: 'numeric', month: 'short' });
}

export function fullDate(date: Date): string {
  return date.toLocaleString(language(), { dateStyle: 'medium', timeStyle: 'short' });
}
