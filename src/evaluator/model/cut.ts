import { Fingerprints } from '../../base/files/fingerprints';
import { storeFolder } from '../../base/files/home';
import { Engine } from '../native/engine';
import { describeFolder } from './describe';
import { ModelFolder } from './modelFolder';
import { runtimeOf } from './runtime';
import { TokenSource } from './tokenSource';

export interface Cutter {
  /** Returns the limit in tokens and the whole words within it, or undefined if the model reads the whole text. */
  cut(text: string, signal?: AbortSignal): Promise<{ limit: number; read: string } | undefined>;
  close(): Promise<void>;
}

/** Creates a cutter without loading the model's weights. Returns undefined for a model without a text encoder. */
export async function cutterOf(path: string, home: string): Promise<Cutter | undefined> {
  const folder = new ModelFolder(path);
  const { blueprint } = await describeFolder(
    folder,
    folder.name,
    runtimeOf({}),
    new Fingerprints(storeFolder(home)),
  );
  const rules = blueprint.text?.spec.rules;
  if (rules === undefined) return undefined;
  const engine = new Engine();
  const tokens = new TokenSource(engine, folder.path, rules);
  const isCut = async (text: string, signal: AbortSignal | undefined): Promise<boolean> =>
    (await tokens.measure([text], signal))[0].cut;
  // Texts of up to `surely` bytes are not measured, because texts hardly ever have more tokens than bytes.
  const surely = rules.max - Buffer.byteLength(rules.prompt) - 8;
  return {
    cut: async (text, signal) => {
      if (Buffer.byteLength(text) <= surely || !(await isCut(text, signal))) return undefined;
      const words = text.split(/(?<=\s)/);
      let [low, high] = [0, words.length - 1];
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (await isCut(words.slice(0, middle).join('').trimEnd(), signal)) high = middle - 1;
        else low = middle;
      }
      return { limit: rules.max, read: words.slice(0, low).join('').trimEnd() };
    },
    close: () => engine.close(),
  };
}
