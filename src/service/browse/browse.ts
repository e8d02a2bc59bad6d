import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { AnswerOf, AskOf, CallContext } from '../../base/calls';
import { inputError, throwIfCancelled } from '../../base/errors';
import { say } from '../../base/say';
import { createImageFinder } from '../../dataset/images/images';
import { openDataset } from '../../dataset/open';
import { partPaths } from '../../dataset/parts/partPaths';
import type { browseRequests, DatasetHead } from '../../protocol/parts/browsed';
import { Images } from '../images/images';
import { RowIndex } from '../rows/rowIndex';
import { type ReportFiles, Shelf } from '../rows/shelf';
import { FileWords } from '../rows/textIndex';
import { exampleOf, type ExampleRow, exampleRows } from './exampleRow';
import { ExampleSource, type Limits, usualLimits } from './exampleSource';
import { worstResults } from './results';

type Requests = typeof browseRequests;
type Asked<N extends keyof Requests> = AskOf<Requests, N>;
type ListHead = Omit<DatasetHead, 'stamp'>;
type Keyed = Pick<Asked<'datasetHead'>, 'dataset' | 'trusted'>;

/** How many examples are read at once. */
const firstExamples = 200;

/** A dataset with a report, as the key of an open list. */
const keyOf = ({ dataset, trusted }: Keyed): string => JSON.stringify({ dataset, trusted });

/** Lists the examples of datasets with their results in a report. */
export class Browse implements ReportFiles {
  private readonly shelf = new Shelf(this);
  private readonly heads = new Map<string, ListHead>();

  constructor(
    private readonly images = new Images(),
    private readonly limits: Limits = usualLimits,
  ) {}

  async head(ask: Asked<'datasetHead'>, context: CallContext): Promise<DatasetHead> {
    const report = keyOf(ask);
    await this.shelf.answer('facets', { report }, context);
    const stamp = createHash('sha256').update(await this.stamp(report));
    return { stamp: stamp.digest('hex'), ...this.heads.get(report)! };
  }

  lines(
    { selection, offset, limit, ...keyed }: Asked<'datasetLines'>,
    context: CallContext,
  ): Promise<AnswerOf<Requests, 'datasetLines'>> {
    return this.shelf.answer('lines', { report: keyOf(keyed), selection, offset, limit }, context);
  }

  async example(
    ask: Asked<'datasetExample'>,
    context: CallContext,
  ): Promise<AnswerOf<Requests, 'datasetExample'>> {
    return exampleOf(await this.row(ask, context));
  }

  /** Throws for a name that the example does not have. */
  async image(ask: Asked<'datasetImage'>, context: CallContext): Promise<Uint8Array> {
    const { name, side } = ask;
    const { path, images } = ask.dataset;
    const own = await this.row(ask, context);
    if (!own.images.includes(name))
      throw inputError(say('service.rowGone'), say('editor.reopenDataset'), path);
    throwIfCancelled(context.signal);
    return this.images.small(
      path,
      images,
      name,
      Math.min(side, 1024),
      undefined,
      own.inside ? own.row : undefined,
    );
  }

  async close(): Promise<void> {
    await this.shelf.close();
    await this.images.close();
  }

  /** Changes with any file of the dataset, and with the report. */
  async stamp(key: string): Promise<string> {
    const { dataset } = JSON.parse(key) as Keyed;
    // What is wrong with the dataset, `open` says.
    const parts = await partPaths(dataset.path).catch(() => undefined);
    const texts = parts?.pairs?.flatMap(({ text }) => text ?? []);
    const names = (texts ?? parts?.names ?? []).map((name) => join(parts!.folder, name));
    const files = [dataset.path, ...names, ...(dataset.report === undefined ? [] : [dataset.report])];
    const states = await Promise.all(
      files.map((file) =>
        stat(file).then(
          ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
          () => 'missing',
        ),
      ),
    );
    return states.join();
  }

  async open(key: string, context: Partial<CallContext> = {}): Promise<RowIndex> {
    const { dataset: asked, trusted } = JSON.parse(key) as Keyed;
    const { signal } = context;
    const dataset = await openDataset(resolve(asked.path), { signal });
    const results = asked.report === undefined ? undefined : await worstResults(asked.report, context);
    const finder = trusted ? createImageFinder({ dataset, folders: asked.images }) : undefined;
    const limits = asked.isFirst ? { ...this.limits, examples: firstExamples } : this.limits;
    const source = new ExampleSource(dataset, finder, results, limits, signal);
    const index = new RowIndex(exampleRows, source, new FileWords());
    try {
      await index.fill(context);
    } catch (error) {
      await index.close();
      throw error;
    }
    this.heads.set(key, source.head);
    return index;
  }

  private async row(ask: Keyed & { index: number }, context: CallContext): Promise<ExampleRow> {
    const { row } = await this.shelf.rowOf(keyOf(ask), ask.index, context);
    return row as ExampleRow;
  }
}
