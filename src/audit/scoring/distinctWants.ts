import { basename, extname, resolve } from 'node:path';
import { pauses, usageError } from '../../base/errors';
import { say, type Words } from '../../base/say';
import { createImageFinder } from '../../dataset/images/images';
import type { PartlyFound } from '../../dataset/images/partlyFound';
import { openDataset } from '../../dataset/open';
import type { Evaluator } from '../../evaluator/evaluator';
import { SeamMeter } from '../../evaluator/native/seamMeter';
import { wantKey } from '../../evaluator/wantKey';
import { languageOfFile } from '../../perturb/text/fileLanguage';
import { probeNamed, resolveOptions } from '../../probe/list';
import { clusterOfExample } from '../../probe/metric';
import type { PairProbe, Plan, ProbeBase } from '../../probe/probe';
import type { Want, WantKind } from '../../protocol/item';
import { sum } from '../../stats/summary';
import { planOf } from '../captions/references';
import { defaultSeed } from '../output/folder';
import { findImages } from '../findImages';
import { checkMoves } from './needed';
import type { DatasetRequest } from './datasetRequest';
import { drawsFor, seedsOf } from './drawCount';

export interface VariantsRequest extends DatasetRequest {
  probe: string;
  kinds: readonly WantKind[];
  options?: Readonly<Record<string, string>>;
  out: string;
  /** Whether to write altered images as PNG files, whose paths are in the pairs' field "file". */
  writeImages?: boolean;
  onPartly?: (partly: PartlyFound) => void;
}

/**
 * Every distinct pair that a probe needs from a dataset, with reference captions if the evaluator uses them. `onExample`
 * hears why an example is left out, or how many more scores it may need that depend on others.
 */
export async function* distinctWants(
  request: Omit<VariantsRequest, 'out' | 'writeImages'>,
  evaluator: Pick<Evaluator, 'references'> = {},
  onExample: (reason: Words | undefined, following?: number) => void = () => undefined,
): AsyncGenerator<{ key: string; want: Want; cluster: string }> {
  const probe = pairProbe(request.probe);
  const options = resolveOptions(probe, request.options ?? {});
  const path = resolve(request.dataset);
  const dataset = await openDataset(path, { map: request.map, signal: request.signal });
  const finder = createImageFinder({ dataset, folders: request.images ?? [], signal: request.signal });
  const seen = new Set<string>();
  const beside = await probe.prepare?.({
    datasetPath: path,
    options,
    examples: () => dataset.read({ signal: request.signal }),
  });
  const language = await languageOfFile(dataset.read({ signal: request.signal }));
  const { seed = defaultSeed } = request;
  const seeds = seedsOf(await drawsFor(probe, options, request, dataset), seed) ?? [seed];
  const seams = new SeamMeter();
  let examples = 0;
  const pause = pauses(request.signal);
  try {
    for await (const example of dataset.read({ signal: request.signal })) {
      if (examples++ === request.limit) break;
      await pause();
      const images = await findImages(example, finder);
      const context = {
        dataset: basename(path, extname(path)),
        seed,
        options,
        scores: request.kinds,
        beside,
        ...(language === undefined ? {} : { language }),
        image: (index: number) => images[index],
      };
      const reason = probe.refuse(example, context);
      if (reason !== undefined) {
        onExample(reason);
        continue;
      }
      const planned: { plan: Plan }[] = [];
      for (const draw of seeds)
        planned.push({ plan: await planOf(probe, example, { ...context, seed: draw }, evaluator, pause) });
      onExample(reason, sum(planned.map(({ plan }) => probe.mostFollowing?.(plan) ?? 0)));
      for (const { planned: one, unneeded } of await checkMoves(probe, planned, seams, request.signal)) {
        for (const [at, want] of one.plan.wants.entries()) {
          await pause();
          if (unneeded.has(at)) continue;
          const key = wantKey(want);
          const before = seen.size;
          if (seen.add([key, ...(want.references ?? [])].join('\n')).size === before) continue;
          yield { key, want, cluster: clusterOfExample(example) };
        }
      }
    }
  } finally {
    await seams.close();
  }
  if (finder.partly.count > 0) request.onPartly?.(finder.partly);
}

type Planning = ProbeBase & Pick<PairProbe, 'plan' | 'unneeded' | 'mostFollowing' | 'isDrawn'>;

export function pairProbe(id: string): Planning {
  const probe = probeNamed(id);
  const { plan } = probe;
  if (plan !== undefined) return { ...probe, plan: plan.bind(probe) };
  throw usageError(say('scoring.tooManyPairs', id), say('scoring.runAuditWithEncoder'));
}
