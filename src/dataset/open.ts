import { CaptiousError, throwIfCancelled } from '../base/errors';
import type { Dataset, Problem, ReadOptions } from './dataset';
import type { Sink } from './draft';
import type { Example } from './example';
import { type FieldMap, Naming } from './fields';
import type { Format, Recognised, Sample } from './format';
import { coco } from './formats/coco';
import { karpathy } from './formats/karpathy';
import { plain } from './formats/plain';
import { rococo } from './formats/rococo';
import { sugarcrepe } from './formats/sugarcrepe';
import { visla } from './formats/visla';
import { vsr } from './formats/vsr';
import { winoground } from './formats/winoground';
import { type TextLayout, entryFramer } from './layout';
import { columnsOf, sampleRows, sniffLayout } from './sniff';
import { readHead, textChunks, textOfHead } from './text/chunks';
import { type DetectedEncoding, describeEncoding } from './text/encoding';
import { IdGuard } from './ids';

/** The most particular first. */
const formats: readonly Format[] = [karpathy, coco, visla, winoground, vsr, sugarcrepe, rococo, plain];

export interface OpenOptions {
  map?: FieldMap;
  /** Id of a format, where looking into the file would choose another. */
  format?: string;
  signal?: AbortSignal;
}

/** How much is looked at: little at first, more where one entry fills it. */
const headSizes = [64 * 1024, 1024 * 1024, 16 * 1024 * 1024];

export async function openDataset(path: string, options: OpenOptions = {}): Promise<Dataset> {
  const candidates =
    options.format === undefined ? formats : formats.filter(({ id }) => id === options.format);
  if (candidates.length === 0)
    throw new CaptiousError('usage', `There is no dataset format "${options.format}".`, {
      remedy: `The formats are: ${formats.map(({ id }) => id).join(', ')}.`,
    });
  let found = 'nothing that looks like rows';
  for (const size of headSizes) {
    const head = await readHead(path, size);
    const whole = head.length < size;
    if (head.length === 0)
      throw new CaptiousError('input', 'The file is empty.', {
        at: path,
        remedy: 'Give a file with captions.',
      });
    const { encoding, text } = textOfHead(head);
    const layout = sniffLayout(text, whole);
    if (layout !== undefined) {
      const rows = sampleRows(text, whole, layout);
      const columns = columnsOf(rows, layout);
      checkMap(path, options.map, columns);
      const sample: Sample = {
        layout: layout.kind,
        columns,
        naming: new Naming(columns, options.map),
        rows,
        sections: layout.kind === 'object of lists' ? layout.sections : [],
      };
      for (const format of candidates) {
        const recognised = format.recognise(sample);
        if (recognised !== undefined)
          return new TextDataset(path, format.id, columns, recognised, layout, encoding);
      }
      found = describeSample(sample);
      if (rows.length > 0) break;
    }
    if (whole) break;
  }
  throw new CaptiousError('input', `This is no dataset that Captious knows. It found ${found}.`, {
    at: path,
    remedy:
      'It looked for columns that name an image and captions. Say which they are with --map image=…,caption=… ' +
      `(formats: ${formats.map(({ id }) => id).join(', ')}).`,
  });
}

function checkMap(path: string, map: FieldMap | undefined, columns: readonly string[]): void {
  for (const [role, column] of Object.entries(map ?? {})) {
    if (columns.length > 0 && !columns.includes(column))
      throw new CaptiousError('usage', `There is no column "${column}" to be the ${role}.`, {
        at: path,
        remedy: `The columns are: ${columns.join(', ')}.`,
      });
  }
}

function describeSample({ layout, columns }: Sample): string {
  const kind = layout === 'delimited' ? 'a table' : layout === 'lines' ? 'JSON lines' : `JSON, a ${layout}`;
  if (columns.length === 0) return `${kind}, without entries that have named fields`;
  const shown = columns.slice(0, 12).map((column) => `"${column.slice(0, 40)}"`);
  return `${kind} with the columns ${shown.join(', ')}${columns.length > 12 ? ' and more' : ''}`;
}

class TextDataset implements Dataset {
  readonly form;
  readonly encoding;

  constructor(
    readonly path: string,
    readonly format: string,
    readonly columns: readonly string[],
    private readonly recognised: Recognised,
    private readonly layout: TextLayout,
    private readonly stored: DetectedEncoding,
  ) {
    this.form = recognised.form;
    this.encoding = describeEncoding(stored);
  }

  async *read({ onProblem, signal }: ReadOptions = {}): AsyncGenerator<Example, void, undefined> {
    const queue: Example[] = [];
    const problem = (found: Problem): void => onProblem?.(found);
    const ids = new IdGuard(problem);
    const sink: Sink = {
      problem,
      example: (example) => {
        ids.check(example);
        queue.push(example);
      },
    };
    const reader = this.recognised.reader();
    const framer = entryFramer(this.layout, this.stored, {
      problem,
      entry: (entry) => {
        reader.read(entry, sink);
      },
    });
    for await (const chunk of textChunks(this.path, this.stored, signal)) {
      framer.feed(chunk);
      for (const example of queue) yield example;
      queue.length = 0;
    }
    framer.end();
    const rest = reader.end?.(sink)[Symbol.iterator]();
    for (let last = rest === undefined; ;) {
      if (rest !== undefined && !last) last = rest.next().done === true;
      for (const example of queue) yield example;
      queue.length = 0;
      if (last) break;
      throwIfCancelled(signal);
    }
  }
}
