import { CaptiousError, throwIfCancelled } from '../base/errors';
import type { Caption, Example } from '../dataset/example';
import type { Candidate } from '../protocol/triplets';
import { type AskChat, checkPrompt, judgementIn, rewordPrompt, textsIn, wanted } from './chat';
import type { HalfTriplet } from './half';
import { refuseNegative, refusePositive } from './written';

/** Thrown if the model's answer to one prompt is missing or unusable. Other prompts may succeed. */
export class Unanswered extends Error {}

export interface LmOptions {
  /** The model's name. The field `from` of the model's candidates begins with this name. */
  model: string;
  ask: AskChat;
  /** How many examples are processed at the same time. */
  parallel: number;
  limit?: number;
  signal?: AbortSignal;
  onProgress?: (done: number) => void;
}

/** The largest number of requests for an example. The model writes negatives only if the example has none. */
export function requestsFor({ captions }: Example): number {
  const { caption, given } = partsOf(captions);
  return caption === undefined ? 0 : (1 + wanted) * (given.length > 0 ? 1 : 2);
}

/**
 * Makes triplets like VISLA's generic file. A language model writes and checks second positives, and negatives for
 * examples without negatives. `leaveOut` receives the reasons for rejections.
 */
export async function* mineByLm(
  examples: AsyncIterable<Example>,
  options: LmOptions,
  leaveOut: (reason: string) => void,
): AsyncGenerator<HalfTriplet> {
  const { limit = Infinity } = options;
  const take = ({ captions }: Example, begun: number): [Caption, readonly Caption[]] | undefined | 'end' => {
    if (begun >= limit) return 'end';
    const { caption, given } = partsOf(captions);
    return caption && [caption, given];
  };
  yield* inBatches(examples, options, leaveOut, {
    take,
    sizeOf: () => 1,
    make: (example, own) => halfOf([example, ...own], options, leaveOut),
  });
}

/** What is made of each example: `take` chooses its captions, `sizeOf` says for how much they count. */
interface Making<T, R> {
  /** Undefined if the example has no caption, "end" if the limit is reached. */
  take: (example: Example, begun: number) => T | undefined | 'end';
  sizeOf: (taken: T) => number;
  make: (example: Example, taken: T) => Promise<R>;
}

/** Makes something of every example, `parallel` at a time, in the order of the file. */
export async function* inBatches<T, R>(
  examples: AsyncIterable<Example>,
  { parallel, signal, onProgress }: Pick<LmOptions, 'parallel' | 'signal' | 'onProgress'>,
  leaveOut: (reason: string) => void,
  { take, sizeOf, make }: Making<T, R>,
): AsyncGenerator<R> {
  let batch: [Example, T][] = [];
  let [begun, done, waiting] = [0, 0, 0];
  const finished = async function* (): AsyncGenerator<R> {
    yield* await Promise.all(batch.map(([example, taken]) => make(example, taken)));
    onProgress?.((done += waiting));
    [batch, waiting] = [[], 0];
  };
  for await (const example of examples) {
    throwIfCancelled(signal);
    const taken = take(example, begun);
    if (taken === 'end') break;
    if (taken === undefined) {
      leaveOut('no caption');
      continue;
    }
    const size = sizeOf(taken);
    [begun, waiting] = [begun + size, waiting + size];
    batch.push([example, taken]);
    if (waiting >= parallel) yield* finished();
  }
  if (batch.length > 0) yield* finished();
}

function partsOf(captions: readonly Caption[]): { caption: Caption | undefined; given: readonly Caption[] } {
  return {
    caption: captions.find(({ role, text }) => role === 'caption' && text.trim() !== ''),
    given: captions.filter(({ role }) => role === 'negative'),
  };
}

async function halfOf(
  [example, caption, given]: readonly [Example, Caption, readonly Caption[]],
  { model, ask }: LmOptions,
  leaveOut: (reason: string) => void,
): Promise<HalfTriplet> {
  const text = caption.text.trim();
  const image = example.images.at(caption.image)?.name;
  const written = (positive: boolean): Promise<Candidate[]> =>
    writtenTexts(text, positive, { model, ask }, leaveOut);
  const [positives, negatives] = await Promise.all([
    written(true),
    given.length > 0
      ? given.map((one): Candidate => ({ text: one.text.trim(), from: 'given' }))
      : written(false),
  ]);
  return { id: example.id, ...(image === undefined ? {} : { image }), caption: text, positives, negatives };
}

/** Texts that the model writes for a caption and accepts, and that `refusePositive` or `refuseNegative` accepts. */
export async function writtenTexts(
  caption: string,
  positive: boolean,
  { model, ask }: Pick<LmOptions, 'model' | 'ask'>,
  leaveOut: (reason: string) => void,
): Promise<Candidate[]> {
  const kind = positive ? 'positive' : 'negative';
  const refuse = positive ? refusePositive : refuseNegative;
  const texts = await answered(
    ask,
    positive ? rewordPrompt(caption) : negativePrompt(caption),
    (answer) => textsIn(answer, [caption]),
    leaveOut,
  );
  const found = await Promise.all(
    [...new Set(texts ?? [])].slice(0, wanted).map(async (text): Promise<Candidate | undefined> => {
      const refused = refuse(caption, text);
      if (refused !== undefined) {
        leaveOut(refused);
        return undefined;
      }
      const prompt = positive ? checkPrompt(caption, text) : contradictionPrompt(caption, text);
      const judged = await answered(ask, prompt, (answer) => judgementIn(answer, [caption, text]), leaveOut);
      if (judged === undefined) return undefined;
      if (judged.same === positive) return { text, from: `${model}, checked` };
      const { better } = judged;
      const wrong =
        !positive || better === undefined ? `the model rejects a ${kind}` : refuse(caption, better);
      if (wrong === undefined) return { text: better!, from: `${model}, corrected` };
      leaveOut(wrong);
      return undefined;
    }),
  );
  const seen = new Set<string>();
  return found.filter((one) => one !== undefined).filter(({ text }) => !seen.has(text) && seen.add(text));
}

/** Asks the model and parses the answer. Returns undefined if the answer is missing or malformed. */
export async function answered<T>(
  ask: AskChat,
  prompt: string,
  read: (answer: string) => T,
  leaveOut: (reason: string) => void,
): Promise<T | undefined> {
  let answer: string;
  try {
    answer = await ask(prompt);
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    leaveOut(error.message);
    return undefined;
  }
  try {
    return read(answer);
  } catch (error) {
    if (!(error instanceof CaptiousError)) throw error;
    leaveOut('an answer is not in the expected format');
    return undefined;
  }
}

/** The caption is a JSON string, because the model must not read it as an instruction. */
export function negativePrompt(caption: string): string {
  return [
    'You change captions of photos for a test of language models.',
    `Write ${wanted} sentences that keep as many words of the caption as possible but are false of every photo of which the caption is true.`,
    '- Change one thing in each: an object, an action, a number, a colour, or a place.',
    '- The new sentence must describe something that a photo can show and that is not strange.',
    '- Do not only deny the caption, and do not replace a word by a more general one.',
    '- Each must be a fluent, correct sentence by itself.',
    'Examples:',
    '"The cup is inside the sink." → "The cup is next to the sink."',
    '"A woman feeds two horses." → "A woman rides two horses."',
    `The caption, as a JSON string: ${JSON.stringify(caption)}`,
    `Answer with a JSON list of ${wanted} strings and nothing else.`,
  ].join('\n');
}

export function contradictionPrompt(caption: string, text: string): string {
  return [
    'The second caption was made from the first and must contradict it. Decide by the captions alone; you see no photo.',
    'It contradicts if no photo of which the first is true can make the second true, too. It must also be a correct sentence about something that a photo can show.',
    `First, as a JSON string: ${JSON.stringify(caption)}`,
    `Second, as a JSON string: ${JSON.stringify(text)}`,
    'Answer with JSON and nothing else: {"same": false} if the second contradicts the first and makes sense, or {"same": true} if not.',
  ].join('\n');
}
