import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { advancedParaphrases } from '../../../../src/perturb/text/paraphrase';
import { tag } from '../../../../src/perturb/text/tagger';

interface Verdict {
  rule: string;
  text: string;
  keepsMeaning: boolean;
  grammatical: boolean;
}
interface Judgements {
  captions: { caption: string; drawn: 'at random' | 'for a rare rule'; paraphrases: Verdict[] }[];
  rejected: (Verdict & { caption: string; sample: string })[];
}

const { captions, rejected } = JSON.parse(
  readFileSync(join(__dirname, '../../../oracle/lgip/judgements.json'), 'utf8'),
) as Judgements;
const isGood = ({ keepsMeaning, grammatical }: Verdict) => keepsMeaning && grammatical;
const made = (caption: string) =>
  advancedParaphrases(caption, tag(caption)).map(({ rule, text }) => ({ rule, text }));

describe('manually judged paraphrases', () => {
  const atRandom = captions.filter(({ drawn }) => drawn === 'at random');

  it('are exactly what the rules still produce: new ones have to be judged first', () => {
    assert.equal(atRandom.length, 300);
    for (const { caption, paraphrases } of captions)
      assert.deepEqual(
        made(caption),
        paraphrases.map(({ rule, text }) => ({ rule, text })),
      );
  });

  it('keep meaning and grammar in 95 of 100 cases, also before the rules were corrected on them', () => {
    const fired = captions.flatMap(({ paraphrases }) => paraphrases);
    const share = (verdicts: readonly Verdict[]) => verdicts.filter(isGood).length / verdicts.length;
    assert.ok(fired.length >= 300);
    assert.ok(share(fired) >= 0.95);
    assert.ok(share([...fired, ...rejected.filter(({ sample }) => sample === 'judged')]) >= 0.95);
  });

  it('keep meaning and grammar in 95 % of the cases of each rule', () => {
    for (const [rule, verdicts] of byRule(captions.flatMap(({ paraphrases }) => paraphrases))) {
      assert.ok(verdicts.length >= 10, `${rule} was judged ${verdicts.length} times`);
      assert.ok(verdicts.filter(isGood).length / verdicts.length >= 0.95, rule);
    }
  });

  it('exist for 40 of 100 captions', () => {
    const covered = atRandom.filter(({ caption }) => made(caption).length > 0).length;
    assert.ok(covered / atRandom.length >= 0.4, `${covered} of ${atRandom.length}`);
  });

  it('do not reappear once rejected', () => {
    for (const { caption, text } of rejected)
      assert.ok(!made(caption).some((again) => again.text === text), text);
  });
});

function byRule(verdicts: readonly Verdict[]): Map<string, Verdict[]> {
  const groups = new Map<string, Verdict[]>();
  for (const verdict of verdicts) groups.set(verdict.rule, [...(groups.get(verdict.rule) ?? []), verdict]);
  return groups;
}
