/* What checks of several benchmarks share: the decoding process, and the encoder. */
import { homeFolder, storeFolder } from '../../base/files/home';
import type { Bench } from '../../bench/bench';
import { createBench } from '../../bench/createBench';
import type { Allow, Evaluator } from '../../evaluator/evaluator';
import { openEvaluator } from '../../evaluator/open';
import { Looks } from './looks';

export interface Tools {
  looks: Looks;
  encoder?: { evaluator: Evaluator; bench: Bench };
  close(): Promise<void>;
}

export interface ToolsRequest {
  /** The text encoder for the baseline of typical captions. */
  encoder?: string;
  home?: string;
  signal: AbortSignal;
  /** Asks for consent to contact a server or to run Python. */
  allow?: Allow;
}

export async function openTools({
  encoder,
  home = homeFolder(),
  signal,
  allow,
}: ToolsRequest): Promise<Tools> {
  const looks = new Looks(signal);
  if (encoder === undefined) return { looks, close: () => looks.close() };
  const evaluator = await openEvaluator(encoder, { home, signal, allow });
  const bench = createBench({ store: storeFolder(home) });
  return {
    looks,
    encoder: { evaluator, bench },
    close: async () => {
      await Promise.all([looks.close(), bench.close()]);
      await evaluator.close();
    },
  };
}
