import { say, type Words } from '../base/say';
import { CaptiousError, throwIfCancelled, wordsOf } from '../base/errors';
import { openRegular } from '../base/files/readFile';
import type { ProblemCode } from './dataset';
import type { Caption, Example, Place } from './example';
import { KeySet } from './ids';
import { createImageFinder, type ImageFinder } from './images/images';
import { asMap, nearNames } from './fields/near';
import { columnsOf, openDataset, unopened } from './open';

export type FindingCode = ProblemCode | 'equal-negative' | 'equal-altered' | 'cut-caption' | 'field-name';

export interface Finding {
  code: FindingCode;
  severity: 'error' | 'warning';
  message: Words;
  place?: Place;
  /** The place of the whole dataset entry that contains the finding. */
  entry?: Place;
  /** The text that causes the finding: an image name, a caption or a column name. */
  text?: string;
  /** A suggested replacement for `text`. For `missing-field`, the name of the column that is missing or empty. */
  instead?: string;
}

/** Returns the token limit and the part of a text that the evaluator reads; undefined if no truncation is known. */
export type Cut = (
  text: string,
  signal?: AbortSignal,
) => Promise<{ limit: number; read: string } | undefined>;

export interface CheckOptions {
  /** Folders to search for images, besides the usual ones. If undefined, Captious does not check images. */
  images: readonly string[] | undefined;
  cut?: Cut;
  signal?: AbortSignal;
  /** The most findings to report for each code. */
  most?: number;
}

export interface Checked {
  findings: Finding[];
  /** The number of all findings. `findings` has at most `most` of each code. */
  count: number;
  counts: Record<string, number>;
  examples: number;
}

const mostOfACode = 100;
const mostImages = 2000;

/** Checks a dataset file. In a file that is not a dataset, finds only misspelt column names. */
export async function checkDataset(path: string, options: CheckOptions): Promise<Checked> {
  const check = new Check(path, options);
  await check.names();
  try {
    const dataset = await openDataset(path, { signal: options.signal });
    const problems: Finding[] = [];
    for await (const example of dataset.read({
      onProblem: (problem) => problems.push(problem),
      signal: options.signal,
    })) {
      await check.example(example);
      for (const problem of problems.splice(0)) check.add(problem);
    }
    for (const problem of problems) check.add(problem);
  } catch (error) {
    const late = options.signal?.aborted === true;
    if (!(error instanceof CaptiousError) || (error.kind !== 'input' && !late)) throw error;
  }
  return check.result();
}

class Check {
  private readonly findings: Finding[] = [];
  private readonly perCode = new Map<FindingCode, number>();
  private readonly captions = new KeySet();
  private readonly images = new Map<string, Finding | undefined>();
  /** The offsets of captions that already have a more specific finding than `duplicate-caption`. */
  private readonly named = new Set<number>();
  private readonly finder: ImageFinder;
  private readonly most: number;
  private examples = 0;
  private count = 0;

  constructor(
    private readonly path: string,
    private readonly options: CheckOptions,
  ) {
    this.finder = createImageFinder({ dataset: unopened(path), folders: options.images ?? [] });
    this.most = options.most ?? mostOfACode;
  }

  add(finding: Finding): void {
    if (finding.code === 'duplicate-caption' && finding.place && this.named.has(finding.place.offset)) return;
    this.count++;
    const reported = this.perCode.get(finding.code) ?? 0;
    this.perCode.set(finding.code, reported + 1);
    if (reported < this.most) this.findings.push(finding);
  }

  /** Reports column names that look misspelt, if Captious can read the file with the corrected names. */
  async names(): Promise<void> {
    const head = await columnsOf(this.path).catch((error: unknown) => {
      if (error instanceof CaptiousError) return undefined;
      throw error;
    });
    if (head === undefined) return;
    const near = nearNames(head.columns);
    if (near.length === 0) return;
    const now = head.formatWith({});
    const then = head.formatWith(asMap(near));
    if (then === undefined) return;
    for (const { column, meant, role } of near)
      if (now !== then || role === 'image' || role === 'id')
        this.add({
          code: 'field-name',
          severity: now === undefined ? 'error' : 'warning',
          message: say('dataset.unknownColumnNearest', column, meant),
          text: column,
          instead: meant,
        });
  }

  async example(example: Example): Promise<void> {
    this.examples++;
    this.opposites(example);
    this.repeats(example);
    for (const caption of example.captions) await this.length(example, caption);
    for (const { name, bytes } of example.images) {
      if (bytes !== undefined || this.options.images === undefined) continue;
      const wrong = await this.image(name);
      if (wrong !== undefined) this.add({ ...wrong, ...placesOf(example) });
    }
    if (this.examples % 256 === 0) {
      throwIfCancelled(this.options.signal);
      // Lets the process handle other requests.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  result(): Checked {
    const { findings, count, examples } = this;
    return { findings, count, counts: Object.fromEntries(this.perCode), examples };
  }

  /** Finds negative and altered captions that equal a correct caption of the same image. */
  private opposites(example: Example): void {
    for (const other of example.captions) {
      if (other.role !== 'negative' && other.role !== 'altered') continue;
      const twin = example.captions.find(
        ({ role, image, text }) =>
          role === 'caption' && image === other.image && bare(text) === bare(other.text),
      );
      if (twin === undefined) continue;
      if (other.place !== undefined) this.named.add(other.place.offset);
      this.add({
        code: other.role === 'negative' ? 'equal-negative' : 'equal-altered',
        severity: 'error',
        message:
          other.role === 'negative'
            ? say('dataset.negativeEqualsPositive')
            : say('dataset.alteredEqualsTrue'),
        ...placesOf(example, other),
        text: other.text,
      });
    }
  }

  /** Finds captions that occur again for an image. In other forms than `captions`, that may be on purpose. */
  private repeats(example: Example): void {
    const image = example.images.map(({ name }) => name).join('\0');
    if (image === '') return;
    const report = (place: Caption | undefined) =>
      this.add({
        code: 'duplicate-caption',
        severity: 'warning',
        message: place === undefined ? say('dataset.captionsRepeated') : say('dataset.captionRepeated'),
        ...placesOf(example, place),
      });
    if (example.form === 'captions') {
      const own = new Set<string>();
      for (const caption of example.captions) {
        // The reader has already reported repeats within one example.
        if (own.has(caption.text)) continue;
        own.add(caption.text);
        if (!this.captions.add(`${image}\0${caption.text}`)) report(caption);
      }
    } else if (!this.captions.add([image, ...example.captions.map(({ text }) => text)].join('\0')))
      report(undefined);
  }

  private async length(example: Example, caption: Caption): Promise<void> {
    const cut = await this.options.cut?.(caption.text, this.options.signal);
    if (cut === undefined) return;
    this.add({
      code: 'cut-caption',
      severity: 'warning',
      message: say('dataset.captionTruncated', cut.limit, cut.read.slice(-30)),
      ...placesOf(example, caption),
      text: caption.text,
      instead: cut.read,
    });
  }

  private async image(name: string): Promise<Finding | undefined> {
    if (this.images.has(name)) return this.images.get(name);
    if (this.images.size >= mostImages) return undefined;
    const found = await this.finder.find(name);
    let finding: Finding | undefined;
    if (!found.ok)
      finding = {
        code: found.reason === 'ambiguous' ? 'ambiguous-image' : 'missing-image',
        severity: 'warning',
        message: found.message,
        text: name,
      };
    else {
      const why = await whyUnreadable(found.path);
      if (why !== undefined)
        finding = {
          code: 'unreadable-image',
          severity: 'warning',
          message: say('dataset.imageUnreadable', name, why),
          text: name,
        };
    }
    this.images.set(name, finding);
    return finding;
  }
}

function placesOf({ place }: Example, caption?: Caption): Pick<Finding, 'place' | 'entry'> {
  const exact = caption?.place ?? place;
  return { ...(exact && { place: exact }), ...(place && { entry: place }) };
}

/** Normalises a text, so that texts become equal if they differ only in case or white space. */
function bare(text: string): string {
  return text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}

/** Why an image is unreadable, by its beginning: decoding all images on each save would take minutes. */
async function whyUnreadable(path: string): Promise<Words | undefined> {
  let file;
  try {
    file = await openRegular(path);
    const head = Buffer.alloc(16);
    const { bytesRead } = await file.read(head, 0, 16, 0);
    if (bytesRead === 0) return say('dataset.imageFileEmpty');
    return isImageHead(head.subarray(0, bytesRead)) ? undefined : say('dataset.notImageBytes');
  } catch (error) {
    return error instanceof CaptiousError ? error.what : wordsOf(error);
  } finally {
    await file?.close();
  }
}

function isImageHead(head: Buffer): boolean {
  const text = head.toString('latin1');
  return (
    /^(\xff\xd8\xff|\x89PNG\r\n\x1a\n|GIF8[79]a|BM|II\*\0|MM\0\*|II\+\0|MM\0\+|\xff\x0a|\0\0\0\x0cJXL |\0\0\0\x0cjP )/.test(
      text,
    ) ||
    /^RIFF[^]{4}WEBP/.test(text) ||
    /^[^]{4}ftyp(avi|hei|mif|msf)/.test(text) ||
    /^\s*(<\?xml|<svg)/.test(text)
  );
}
