import * as vscode from 'vscode';
import { type AskOf, serving } from '../../base/calls';
import type { Words } from '../../base/say';
import { oneLine } from '../../base/text/oneLine';
import { hostRequests } from '../../protocol/hostCalls';
import { withToken } from '../cancellation';
import { askModel, modelNamed } from '../languageModels';
import { localized } from '../messages';
import { ask, confirm } from '../notify';

const storedAs = (name: string): string => `captious.key.${name}`;

/** Answers what an audit's process requests from the editor: consent, keys and answers of language models. */
export class HostAnswers {
  /** What was declined for an experiment file, whose datasets are runs of their own. */
  private readonly declined = new Set<string>();

  constructor(private readonly secrets: vscode.SecretStorage) {}

  readonly serve = serving(hostRequests, {
    consent: (asked) => this.consent(asked),
    key: ({ name }, { signal }) => withToken(signal, async (token) => (await this.key(name, token)) ?? null),
    model: ({ name }) => modelNamed(name),
    chat: (ask, { signal }) => withToken(signal, (token) => askModel(ask, token)),
  });

  /** Forgets what was declined, once no run is waiting. */
  forget(): void {
    this.declined.clear();
  }

  private async consent({
    terms,
    runs,
    endpoint,
    experiment,
  }: AskOf<typeof hostRequests, 'consent'>): Promise<boolean> {
    const key = JSON.stringify([experiment, endpoint]);
    if (this.declined.has(key)) return false;
    const given = await agreed(terms, runs);
    if (!given && experiment !== undefined) this.declined.add(key);
    return given;
  }

  /** Reads a key from the secret storage. If the key is not stored yet, asks the user for it. */
  async key(name: string, token: vscode.CancellationToken): Promise<string | undefined> {
    return (await this.secrets.get(storedAs(name))) ?? this.askForKey(name, token);
  }

  async askForKey(name: string, token?: vscode.CancellationToken): Promise<string | undefined> {
    const given = await ask(
      {
        title: vscode.l10n.t('Key {0}', name),
        prompt: vscode.l10n.t(
          "The key is stored in the editor's secret storage. Leave this empty to delete the key.",
        ),
        password: true,
        ignoreFocusOut: true,
      },
      token,
    );
    const key = given?.trim();
    if (key === '') await this.secrets.delete(storedAs(name));
    else if (key !== undefined) await this.secrets.store(storedAs(name), key);
    return key === '' ? undefined : key;
  }
}

/** The terms are one line, because a name in them must not look like a line of Captious. */
async function agreed(said: Words, runs: boolean): Promise<boolean> {
  const terms = oneLine(localized(said));
  if (runs) {
    const run = vscode.l10n.t('Run');
    return (await confirm(vscode.l10n.t('Run this Python code?'), terms, run)) === run;
  }
  const send = vscode.l10n.t('Send');
  const answer = await confirm(vscode.l10n.t('Send images and captions to this model?'), terms, send);
  return answer === send;
}
