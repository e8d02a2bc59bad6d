import { say, type Words } from '../base/say';
import { type Doubt, leastActing, leastImages } from './confirm';
import type { Parity } from './parity';
import type { Trait } from './traits';
import type { Setting } from './change';

export const settingWords: Readonly<Record<Setting, Words>> = {
  shape: say('parity.setting.shape'),
  filter: say('parity.setting.filter'),
  resizing: say('parity.setting.resizing'),
  cropRounding: say('parity.setting.cropRounding'),
  constants: say('parity.setting.constants'),
  channels: say('parity.setting.channels'),
  exif: say('parity.setting.exif'),
  alpha: say('parity.setting.alpha'),
  imageActivation: say('parity.setting.imageActivation'),
  imagePooling: say('parity.setting.imagePooling'),
  prefix: say('parity.setting.prefix'),
  whitespace: say('parity.setting.whitespace'),
  punctuation: say('parity.setting.punctuation'),
  case: say('parity.setting.case'),
  limit: say('parity.setting.limit'),
  truncation: say('parity.setting.truncation'),
  padding: say('parity.setting.padding'),
  specialTokens: say('parity.setting.specialTokens'),
  textActivation: say('parity.setting.textActivation'),
  textPooling: say('parity.setting.textPooling'),
  references: say('parity.setting.references'),
  normalisation: say('parity.setting.normalisation'),
  precision: say('parity.setting.precision'),
  scale: say('parity.setting.scale'),
  rounding: say('parity.setting.rounding'),
};

/** Below this cosine, two embeddings of an item differ by more than rounding. */
const equalCosine = 1 - 1e-6;

/** The sentences that sum the comparison up. */
export function verdictWords(parity: Parity): Words[] {
  const { images } = parity;
  const few = images < leastImages ? [say('parity.fewImages', images, leastImages)] : [];
  return [...mainWords(parity), ...(parity.verdict === 'same' ? [] : few)];
}

function mainWords({ verdict, difference, left, removed, towers }: Parity): Words[] {
  switch (verdict) {
    case 'same':
      return [say('parity.verdict.same', number(difference.largest))];
    case 'explained':
      return [say('parity.verdict.explained', number(left))];
    case 'partly':
      return [say('parity.verdict.partly', percent(removed ?? 0), number(left)), towerWords(towers)];
    case 'unshown':
      return [say('parity.verdict.unshown'), towerWords(towers)];
    case 'unexplained':
      return [say('parity.verdict.unexplained'), towerWords(towers)];
  }
}

function towerWords(towers: Parity['towers']): Words {
  if (towers.length < 2) return say('parity.towers.unknown');
  const [images, texts] = (['image', 'text'] as const).map(
    (name) => towers.find(({ tower }) => tower === name)!.lowest < equalCosine,
  );
  if (images && texts) return say('parity.towers.both');
  if (images) return say('parity.towers.images');
  return texts ? say('parity.towers.texts') : say('parity.towers.none');
}

/** Why a setting that was found on the searched images is not named as a cause. */
export const doubtWords: Readonly<Record<Doubt, Words>> = {
  images: say('parity.doubt.images', leastImages),
  acting: say('parity.doubt.acting', leastActing),
  interval: say('parity.doubt.interval'),
  share: say('parity.doubt.share'),
  order: say('parity.doubt.order'),
  mean: say('parity.doubt.mean'),
};

export const traitWords: Readonly<Record<Trait, Words>> = {
  alpha: say('parity.trait.alpha'),
  turned: say('parity.trait.turned'),
  halves: say('parity.trait.halves'),
  long: say('parity.trait.long'),
  whitespace: say('parity.trait.whitespace'),
};

export function number(value: number): string {
  return value === 0 ? '0' : value.toPrecision(3);
}

export function percent(share: number): string {
  const value = 100 * share;
  // A share just below 1 is not shown as 100 %, because something is left.
  const digits = value > 99.95 && value < 100 ? 4 : 1;
  return `${value.toFixed(digits)} %`;
}
