import * as vscode from 'vscode';
import { Calls, type Serve } from '../../base/calls';
import { cancelled, messageOf } from '../../base/errors';
import { languageOf } from '../../base/english';
import { trouble } from '../messages';
import { showError } from '../notify';

export interface PageParts {
  extensionUri: vscode.Uri;
  /** The file name of the page's script and style sheet in `dist`, without extension. */
  name: string;
  /** The id of the element that the script fills. */
  root: string;
  /** The state with which the page starts. */
  memory: unknown;
  images: 'blob:' | 'data:';
}

/** Loads the page into a webview. Loads it again once the workspace is trusted, because images are then allowed. */
export function openPage(webview: vscode.Webview, parts: PageParts): vscode.Disposable {
  fill(webview, parts);
  return vscode.workspace.onDidGrantWorkspaceTrust(() => {
    fill(webview, parts);
  });
}

/** Sets the page's HTML, with Captious's texts and the page's state. The page requests everything else. */
function fill(webview: vscode.Webview, { extensionUri, name, root, memory, images }: PageParts): void {
  const dist = vscode.Uri.joinPath(extensionUri, 'dist');
  webview.options = { enableScripts: true, localResourceRoots: [dist] };
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24))));
  const uri = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(dist, file)).toString();
  const { bundle } = vscode.l10n;
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    // chart.js sets the size of its canvas through the style object. This policy allows the style object, but no
    // style attributes.
    `style-src ${webview.cspSource}`,
    `img-src ${images}`,
  ].join('; ');
  webview.html = `<!DOCTYPE html>
<html lang="${escapeMarkup(bundle === undefined ? 'en' : vscode.env.language)}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Captious</title>
<link rel="stylesheet" href="${uri(`${name}.css`)}">
</head>
<body data-memory="${attributeOf(memory)}" data-language="${attributeOf(languageOf(bundle))}">
<main id="${root}"></main>
<script nonce="${nonce}" src="${uri('messages.en.js')}"></script>
<script nonce="${nonce}" src="${uri(`${name}.js`)}"></script>
</body>
</html>`;
}

function attributeOf(value: unknown): string {
  return escapeMarkup(JSON.stringify(value));
}

export function escapeMarkup(text: string): string {
  return text.replace(/[&"<>']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Passes a page's messages to `hear`. Errors are logged and shown. */
export function hearPage(
  webview: vscode.Webview,
  log: vscode.LogOutputChannel,
  hear: (value: unknown) => Promise<void> | void,
): vscode.Disposable {
  return webview.onDidReceiveMessage(async (value: unknown) => {
    try {
      await hear(value);
    } catch (error) {
      log.error(messageOf(error));
      void showError(trouble(error));
    }
  });
}

/** The answer to a page. Its error is in the editor's language. */
export async function answerInWords<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw new Error(trouble(error), { cause: error });
  }
}

/** Answers a page's requests. A reloaded page reuses numbers, so `restart` cancels the earlier requests. */
export class PageRequests {
  private calls: Calls<Record<never, never>> | undefined;

  constructor(
    private readonly webview: vscode.Webview,
    private readonly serve: Serve,
  ) {}

  restart(): void {
    this.end();
    const calls = new Calls(
      {},
      {
        send: (message) => {
          if (this.calls === calls) void this.webview.postMessage(message);
        },
        serve: this.serve,
      },
    );
    this.calls = calls;
  }

  end(): void {
    const calls = this.calls;
    this.calls = undefined;
    calls?.end(cancelled);
  }

  /** Handles a message from the page. Returns false if the message belongs to no request. */
  hear(value: unknown): boolean {
    return this.calls?.hear(value) ?? false;
  }
}
