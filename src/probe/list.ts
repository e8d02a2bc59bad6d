import { CaptiousError, usageError } from '../base/errors';
import { say, type Words } from '../base/say';
import { chooseFrom } from '../base/text/nearest';
import { benchmark } from './benchmark/benchmark';
import { probes } from './generated/probes';
import { imported } from './imported/imported';
import type { OptionSpec, OptionValue, Probe, ProbeBase } from './probe';

/**
 * All probes in display order. Each probe has the files src/probe/<id>/<id>.ts and view.ts.
 * scripts/probe-lists.mjs generates the imports of these files.
 */
export const probeIds = [
  'lgip',
  'exploit',
  'visla',
  'choice',
  'sugarcrepe',
  'winoground',
  'rococo',
  'prsm',
  'invariance',
  'human',
  'long',
  'explain',
] as const;

export function probeNamed(id: string): Probe {
  const probe = probes.find((candidate) => candidate.id === id);
  if (probe !== undefined) return probe;
  throw new CaptiousError('usage', say('probe.unknown', id), {
    remedy: chooseFrom(
      id,
      probes.map((candidate) => candidate.id),
    ),
  });
}

/** What made a report: a probe, or what needs no evaluator. */
export function reporting(id: string): ProbeBase {
  if (id === imported.id) return imported;
  return id === benchmark.id ? benchmark : probeNamed(id);
}

/** A probe's options, with defaults. Throws for an unknown option or an invalid value. */
export function resolveOptions(
  probe: Pick<Probe, 'id' | 'options'>,
  given: Readonly<Record<string, string>>,
): Record<string, OptionValue> {
  const options: Record<string, OptionValue> = Object.fromEntries(
    probe.options.map((spec) => [spec.key, spec.default]),
  );
  for (const [key, text] of Object.entries(given)) {
    const spec = probe.options.find((candidate) => candidate.key === key);
    if (spec === undefined) {
      const known = probe.options.map((candidate) => candidate.key);
      throw new CaptiousError('usage', say('probe.optionUnknown', probe.id, key), {
        remedy: chooseFrom(key, known) ?? say('probe.noOptions'),
      });
    }
    options[key] = parseOption(spec, text, probe.id);
  }
  return options;
}

function parseOption(spec: OptionSpec, text: string, probe: string): OptionValue {
  const wrong = (expected: Words) =>
    usageError(say('probe.optionValueInvalid', text, probe, spec.key), say('lgip.useExpected', expected));
  if (typeof spec.default === 'boolean') {
    if (text !== 'true' && text !== 'false') throw wrong(say('probe.booleanExpected'));
    return text === 'true';
  }
  if (typeof spec.default === 'number') {
    const value = Number(text);
    if (text.trim() === '' || !Number.isFinite(value)) throw wrong(say('probe.numberExpected'));
    return value;
  }
  if (spec.choices && !spec.choices.includes(text))
    throw wrong(say('probe.choiceExpected', spec.choices.join(', ')));
  return text;
}
