import * as vscode from 'vscode';
import { failureOf } from '../../protocol/failure';
import { type FromRunner, type ToRunner } from '../../protocol/processes';
import type { Grant, HostCall } from '../../protocol/hostCalls';
import type { Child } from '../../process/child';
import { askModel, modelNamed } from '../languageModels';
import { ask, confirm } from '../notify';

const storedAs = (name: string): string => `captious.key.${name}`;

/** What an audit's process may ask of the editor: leave, keys, and answers of its language models. */
export class HostAnswers {
  constructor(private readonly secrets: vscode.SecretStorage) {}

  async give(hostCall: HostCall, token: vscode.CancellationToken): Promise<Grant> {
    switch (hostCall.type) {
      case 'consent':
        return { type: 'consent', given: await agreed(hostCall.terms) };
      case 'key':
        return { type: 'key', key: await this.key(hostCall.name, token) };
      case 'model':
        return { type: 'model', model: await modelNamed(hostCall.name) };
      case 'chat':
        return askModel(hostCall, token);
    }
  }

  /** Kept where the editor keeps secrets; asked for the first time it is wanted. */
  private async key(name: string, token: vscode.CancellationToken): Promise<string | undefined> {
    return (await this.secrets.get(storedAs(name))) ?? this.askForKey(name, token);
  }

  async askForKey(name: string, token?: vscode.CancellationToken): Promise<string | undefined> {
    const given = await ask(
      {
        title: vscode.l10n.t('Key {0}', name),
        prompt: vscode.l10n.t('It is kept in the secret storage of the editor; an empty one removes it.'),
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

async function agreed(terms: string): Promise<boolean> {
  const send = vscode.l10n.t('Send');
  const answer = await confirm(vscode.l10n.t('May photos and captions leave this computer?'), terms, send);
  return answer === send;
}

/** What the process of one run has asked for and not yet been answered. */
export class Granting {
  private readonly open = new Map<number, vscode.CancellationTokenSource>();

  constructor(
    private readonly hostAnswers: Pick<HostAnswers, 'give'>,
    private readonly child: Pick<Child<FromRunner, ToRunner>, 'send'>,
  ) {}

  hear(message: Extract<FromRunner, { type: 'hostCall' | 'cancelHostCall' }>): void {
    if (message.type === 'cancelHostCall') this.open.get(message.id)?.cancel();
    else void this.grant(message.id, message.hostCall);
  }

  /** The process is gone. */
  end(): void {
    for (const source of this.open.values()) source.cancel();
  }

  private async grant(id: number, hostCall: HostCall): Promise<void> {
    const source = new vscode.CancellationTokenSource();
    this.open.set(id, source);
    try {
      this.child.send({ type: 'granted', id, grant: await this.hostAnswers.give(hostCall, source.token) });
    } catch (error) {
      this.child.send({ type: 'refused', id, failure: failureOf(error) });
    } finally {
      this.open.delete(id);
      source.dispose();
    }
  }
}
