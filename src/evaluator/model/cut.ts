import { Fingerprints } from '../../base/fingerprints';
import { storeFolder } from '../../base/home';
import { describeFolder } from './describe';
import { ModelFolder } from './modelFolder';
import { runtimeOf } from './runtime';
import { Tokens } from './tokens';

/** Tells what a model reads of a text that is longer than it takes; undefined where it takes no tokens. Loads no weights. */
export async function cutterOf(
  path: string,
  home: string,
): Promise<((text: string) => { limit: number; read: string } | undefined) | undefined> {
  const folder = new ModelFolder(path);
  const { blueprint } = await describeFolder(
    folder,
    folder.name,
    runtimeOf({}),
    new Fingerprints(storeFolder(home)),
  );
  const rules = blueprint.text?.spec.rules;
  if (rules === undefined) return undefined;
  const tokens = new Tokens(folder, rules);
  // No tokenizer makes more tokens than bytes, and a few around them.
  const surely = rules.max - Buffer.byteLength(rules.prompt) - 8;
  return (text) => {
    if (Buffer.byteLength(text) <= surely || !tokens.size(text).cut) return undefined;
    const words = text.split(/(?<=\s)/);
    let [low, high] = [0, words.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (tokens.size(words.slice(0, middle).join('').trimEnd()).cut) high = middle - 1;
      else low = middle;
    }
    return { limit: rules.max, read: words.slice(0, low).join('').trimEnd() };
  };
}
