import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readJson } from '../../../base/files/readJson';
import { anything, holding, list, number, optional, text } from '../../../base/shape';

/** The nodes that one execution provider ran, and their share of the time. */
export interface Placement {
  /** ONNX Runtime's name, such as CUDAExecutionProvider. */
  provider: string;
  nodes: number;
  /** The provider's share of the time of all nodes, from 0 to 1. */
  share: number;
}

const events = list(
  holding({
    cat: optional(anything()),
    dur: optional(number),
    args: optional(holding({ provider: optional(text) })),
  }),
);
const limits = { bytes: 256 << 20, parts: 1 << 24 };

/**
 * Reads ONNX Runtime's profiles in a folder. ONNX Runtime silently moves unsupported nodes to the CPU, and only
 * a profile shows this.
 */
export async function readPlacement(folder: string): Promise<Placement[]> {
  const found = new Map<string, { nodes: number; time: number }>();
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.json'))) {
    for (const { cat, dur = 0, args } of events(await readJson(join(folder, name), limits), name)) {
      if (cat !== 'Node' || args?.provider === undefined) continue;
      const sum = found.get(args.provider) ?? { nodes: 0, time: 0 };
      found.set(args.provider, { nodes: sum.nodes + 1, time: sum.time + dur });
    }
  }
  const whole = [...found.values()].reduce((sum, { time }) => sum + time, 0);
  return [...found]
    .map(([provider, { nodes, time }]) => ({ provider, nodes, share: whole === 0 ? 0 : time / whole }))
    .sort((a, b) => b.share - a.share);
}

/** Whether the provider ran any node. `provider` is a value of the option --provider. */
export function ranOn(placements: readonly Placement[], provider: string): boolean {
  return placements.some((one) => one.provider.toLowerCase().startsWith(provider) && one.nodes > 0);
}

export function placementWords(placements: readonly Placement[]): string {
  return placements
    .map(
      ({ provider, nodes, share }) =>
        `${provider.replace('ExecutionProvider', '')}: ${nodes} nodes, ${(100 * share).toFixed(0)} % of the time`,
    )
    .join('; ');
}
