import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { AskOf, CallContext } from '../base/calls';
import { CaptiousError } from '../base/errors';
import type { Dataset } from '../dataset/dataset';
import type { Example } from '../dataset/example';
import { createImageFinder } from '../dataset/images/images';
import { openDataset } from '../dataset/open';
import { readsAsFirst } from '../dataset/readsAs';
import { refusal as refusedByCheck } from '../probe/benchmark/benchmark';
import { probes } from '../probe/generated/probes';
import { probeNamed, resolveOptions } from '../probe/list';
import type { PairProbe, ProbeBase } from '../probe/probe';
import { drawsOfSize, isCounted } from '../audit/scoring/drawCount';
import { fits, neededFor, refusal, sampled } from '../probe/needs/needs';
import type { DatasetPreview, readerRequests } from '../protocol/service';

/** A preview of a dataset file. Null if the file is not a valid dataset or contains no examples. */
export async function datasetPreview(
  { path, images, trusted }: AskOf<typeof readerRequests, 'look'>,
  { signal, step }: CallContext,
): Promise<DatasetPreview | null> {
  const seen: Example[] = [];
  let dataset: Dataset;
  try {
    dataset = await openDataset(path, { signal });
    for await (const example of dataset.read({ signal })) {
      step();
      if (seen.push(example) === sampled) break;
    }
  } catch (error) {
    if (error instanceof CaptiousError && error.kind === 'input') return null;
    throw error;
  }
  if (seen.length === 0) return null;
  const names = seen.flatMap(({ images: own }) =>
    own.filter(({ bytes }) => bytes === undefined).map(({ name }) => name),
  );
  // Only the names of the sample are known, because reading all names of a large file would take too long.
  const finder = createImageFinder({ dataset: { path, read: () => Readable.from(seen) }, folders: images });
  const found = trusted ? await Promise.all(names.map((name) => finder.find(name))) : [];
  const there = new Set(names.filter((_, i) => found[i]?.ok));
  const instead = found.flatMap((one) => (one.ok ? [] : (one.instead ?? []))).at(0);
  const unchecked = seen.map((example) => refusedByCheck(example));
  const preview: DatasetPreview = {
    format: dataset.format,
    readsAs: readsAsFirst({ title: dataset.title, form: dataset.form }, seen),
    probes: probes
      .filter((probe) => seen.some((example) => fits(probe, example, () => true)))
      .map((probe) => {
        const { id, title, question, options } = probe;
        const natural = probe.madeFor.includes(dataset.form);
        const ready = seen.some((example) => fits(probe, example, (name) => there.has(name)));
        const needs = neededFor(probe, resolveOptions(probe, {}), seen);
        return {
          id,
          title,
          question,
          natural,
          ready,
          needs,
          options: options.map((each) => ({ ...each, choices: each.choices && [...each.choices] })),
        };
      }),
    others: probes
      .filter((probe) => !seen.some((example) => fits(probe, example, () => true)))
      .map((probe) => ({ id: probe.id, title: probe.title, why: refusal(probe, seen[0], () => true)! })),
    ...(unchecked.every((why) => why !== undefined) ? { unchecked: unchecked[0] } : {}),
    columns: [...dataset.columns],
    images: names.length,
    imagesFound: found.filter(({ ok }) => ok).length,
    ...(instead === undefined ? {} : { instead }),
  };
  const end = seen.at(-1)?.place;
  if (seen.length < sampled) preview.examples = seen.length;
  else if (end)
    preview.examples = Math.round((seen.length * (await stat(path)).size) / (end.offset + end.length));
  const { examples } = preview;
  if (dataset.form === 'captions' && examples !== undefined)
    preview.captions = Math.round(countedIn(seen) * (examples / seen.length));
  return { ...preview, probes: withDraws(preview, seen) };
}

function countedIn(seen: readonly Example[]): number {
  return seen.reduce((sum, { captions }) => sum + captions.filter(isCounted).length, 0);
}

/** The probes with their draws by default, by the estimated number of captions. */
function withDraws(
  { probes: found, examples }: DatasetPreview,
  seen: readonly Example[],
): DatasetPreview['probes'] {
  if (examples === undefined) return found;
  const captions = seen.flatMap((example) => example.captions.filter(isCounted));
  const draws = drawsOfSize((captions.length * examples) / seen.length);
  return found.map((preview) => {
    const probe: ProbeBase & Partial<Pick<PairProbe, 'isDrawn'>> = probeNamed(preview.id);
    const options = resolveOptions(probe, {});
    return captions.some((caption) => probe.isDrawn?.(caption, options)) ? { ...preview, draws } : preview;
  });
}
