import * as vscode from 'vscode';

/** The language for dates: the editor's language if Captious is translated to it, otherwise English. */
function language(): string {
  return vscode.l10n.bundle === undefined ? 'en' : vscode.env.language;
}

/** A date and time such as "Nov 22, 2:03 PM". Includes the year if it is not the current year. */
export function shortDate(date: Date): string {
  return date.toLocaleString(language(), {
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
    ...(date.getFullYear() === new Date().getFullYear() ? {} : { year: 'numeric' }),
  });
}

/** A day such as "Nov 22". */
export function shortDay(date: Date): string {
  return date.toLocaleDateString(language(), { day: 'numeric', month: 'short' });
}

export function fullDate(date: Date): string {
  return date.toLocaleString(language(), { dateStyle: 'medium', timeStyle: 'short' });
}

/** A text such as "5 min ago". For times a day or more ago, the date and time. */
export function ago(then: number): string {
  const minutes = Math.max(0, Math.round((Date.now() - then) / 60_000));
  if (minutes < 1) return vscode.l10n.t('just now');
  if (minutes < 60) return vscode.l10n.t('{0} min ago', minutes);
  if (minutes < 24 * 60) return vscode.l10n.t('{0} h ago', Math.round(minutes / 60));
  return shortDate(new Date(then));
}
