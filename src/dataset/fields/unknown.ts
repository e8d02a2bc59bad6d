import { english } from '../../base/english';
import { type CaptiousError, inputError } from '../../base/errors';
import { say, type Words } from '../../base/say';
import { mapFlag } from './fields';
import type { Format, Sample } from '../format';
import { isImageName } from '../images/imageName';
import { holdsCaptions, holdsImages, mapOfAnswer, valuesOf } from './question';

const tables: readonly { needs: readonly string[]; what: Words }[] = [
  { needs: ['ImageID', 'Subset', 'OriginalURL'], what: say('dataset.openImagesList') },
  { needs: ['image_name', 'image_url'], what: say('dataset.openImagesList') },
  {
    needs: ['ImageID', 'LabelName1', 'LabelName2', 'RelationshipLabel'],
    what: say('dataset.openImagesRelationships'),
  },
  { needs: ['ImageID', 'LabelName', 'XMin', 'XMax', 'YMin', 'YMax'], what: say('dataset.openImagesBoxes') },
  { needs: ['MaskPath', 'ImageID', 'LabelName'], what: say('dataset.openImagesMasks') },
  { needs: ['ImageID', 'Source', 'LabelName', 'Confidence'], what: say('dataset.openImagesLabels') },
  { needs: ['ImageID', 'X', 'Y', 'Label', 'EstimatedYesNo'], what: say('dataset.openImagesPointLabels') },
  { needs: ['LabelName', 'DisplayName'], what: say('dataset.openImagesClasses') },
];

/** An id of a class, such as `/m/011k07`, which begins the first line of a list of classes without a head. */
const classId = /^\/[mgt]\/\w+$/;

/** What the table with these columns is in Open Images; undefined if it is none of its tables. */
function openImagesTable(columns: readonly string[]): Words | undefined {
  if (columns.length === 2 && classId.test(columns[0])) return say('dataset.openImagesClasses');
  return tables.find(({ needs }) => needs.every((name) => columns.includes(name)))?.what;
}

/** Makes the error for a file that no format can read. Its message describes the content of the file. */
export function unknown(
  path: string,
  sample: Sample | undefined,
  candidates: readonly Format[],
  head: Uint8Array,
): CaptiousError {
  const table = sample?.layout === 'delimited' ? openImagesTable(sample.columns) : undefined;
  if (table !== undefined)
    return inputError(
      say('dataset.openImagesWithoutCaptions', table),
      say('dataset.auditOpenImagesCaptions'),
      path,
    );
  const holds = sample === undefined ? describeBytes(head) : describeSample(sample);
  const wanted =
    candidates.length === 1
      ? ` Looked for ${candidates[0].id}: ${candidates[0].looksLike}.`
      : ((sample && closest(sample, candidates)) ?? '');
  return inputError(say('dataset.formatUnknown', holds, wanted), remedyFor(sample), path);
}

/** Names the format with the largest share of its required columns in the file, if the share is at least half. */
function closest({ naming }: Sample, candidates: readonly Format[]): string | undefined {
  const near = candidates
    .map(({ title, needs = [] }) => ({
      title,
      missing: needs.filter((name) => naming.named(name) === undefined),
      share: needs.filter((name) => naming.named(name) !== undefined).length / needs.length,
    }))
    .filter(({ share, missing }) => share >= 0.5 && missing.length > 0)
    .sort((a, b) => b.share - a.share)
    .at(0);
  return (
    near &&
    ` The closest format is ${english(near.title)}. Columns that it needs and the file lacks: ${near.missing.join(', ')}.`
  );
}

/** Suggests a map if one column can name images and another one contains captions. */
function remedyFor(sample: Sample | undefined): Words {
  const open = say('dataset.useKnownFormat');
  if (sample === undefined || sample.columns.length < 2) return open;
  const image = imageColumn(sample);
  const caption = sample.columns.find((column) => column !== image && holdsCaptions(sample, column));
  if (image === undefined || caption === undefined) return say('dataset.renameOrMapColumns', open);
  const answer = mapOfAnswer(sample, { image, caption }, caption);
  return answer === undefined
    ? say('dataset.renameLikelyColumns', caption, image, mapFlag({ image, caption }))
    : say('dataset.mapAnswerColumn', answer.answer ?? answer.answerFrom1 ?? '', caption, mapFlag(answer));
}

function imageColumn(sample: Sample): string | undefined {
  const { columns, naming } = sample;
  const named = naming.column('image') ?? (columns.includes('key') ? 'key' : undefined);
  const isName = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';
  if (named !== undefined && (valuesOf(sample, named).some(isName) || holdsImages(sample, named)))
    return named;
  return columns.find(
    (column) => holdsImages(sample, column) || valuesOf(sample, column).some((value) => isImageName(value)),
  );
}

function describeSample({ layout, columns }: Sample): string {
  const kind =
    layout === 'delimited'
      ? 'a table'
      : layout === 'lines'
        ? 'JSON lines'
        : layout === 'parquet'
          ? 'a Parquet table'
          : layout === 'arrow'
            ? 'an Arrow table'
            : layout === 'tar'
              ? 'a tar archive'
              : `JSON, ${layout === 'list' ? 'a' : 'an'} ${layout},`;
  if (columns.length === 0) return `${kind} without entries that have named fields`;
  const shown = columns.slice(0, 12).map((column) => `"${column.slice(0, 40)}"`);
  return `${kind} with the columns ${shown.join(', ')}${columns.length > 12 ? ' and more' : ''}`;
}

/** Describes a file without rows by its first bytes. */
function describeBytes(head: Uint8Array): string {
  const start = Buffer.from(head.subarray(0, 16)).toString('latin1');
  if (start.startsWith('MATLAB'))
    return 'a MATLAB file (save its columns as CSV or JSON; docs/formats.md shows it for Pascal-50S)';
  if (start.startsWith('PK')) return 'a ZIP archive (unpack it)';
  if (start.startsWith('\x1f\x8b')) return 'gzip data (unpack it)';
  if (/^(\xff\xd8\xff|\x89PNG|GIF8|RIFF)/.test(start)) return 'an image or a sound';
  if (head.subarray(0, 4096).includes(0)) return 'bytes that are not text';
  if (/^(?:\xef\xbb\xbf)?\s*[[{]/.test(start)) return 'JSON that is not a list of entries';
  return 'text that is neither JSON nor a table with column names in the first row';
}
