import * as vscode from 'vscode';

export function signalOf(token: vscode.CancellationToken): AbortSignal {
  const stop = new AbortController();
  if (token.isCancellationRequested) stop.abort();
  token.onCancellationRequested(() => {
    stop.abort();
  });
  return stop.signal;
}

export async function withToken<T>(
  signal: AbortSignal,
  act: (token: vscode.CancellationToken) => Promise<T>,
): Promise<T> {
  const source = new vscode.CancellationTokenSource();
  signal.addEventListener('abort', () => {
    source.cancel();
  });
  try {
    return await act(source.token);
  } finally {
    source.dispose();
  }
}
