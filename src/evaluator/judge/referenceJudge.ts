import type { ImageItem, TextItem } from '../../protocol/item';
import type { Evaluator } from '../evaluator';
import { hashWith, noReferences, type References, referencesOf } from '../overlap/references';
import { comparisonText } from './judgePrompt';

/** Makes a judge that gets references with each caption. `referencesOf` chooses them. */
export function judgeWithReferences(judge: Evaluator, references: References): Evaluator {
  const { info, consent } = judge;
  return {
    info: {
      ...info,
      sha256: hashWith(references, info.sha256),
      // A getter, because the inner judge adds notes during the run.
      get notes() {
        return info.notes;
      },
    },
    ...(consent === undefined ? {} : { consent }),
    references,
    derived: {
      inner: judge,
      refuse: (want) => (referencesOf(want, references).length === 0 ? noReferences : undefined),
      expand: (want) => {
        const { text } = want.right as TextItem;
        const compared = comparisonText(text, referencesOf(want, references));
        return [{ left: want.left as ImageItem, right: { kind: 'text', text: compared } }];
      },
      combine: (_want, [score]) => score,
    },
    close: () => judge.close(),
  };
}
