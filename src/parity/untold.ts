import { largest } from '../base/extent';
import { say, type Words } from '../base/say';
import { leastActing } from './confirm';
import type { Sample } from './sample';
import type { Trait } from './traits';
import { type Change, type Setting, settings } from './change';

/** A setting of which this sample cannot tell whether A and B differ in it. */
export interface Untold {
  setting: Setting;
  /** On how many searched images a change of the setting changes a score of A. Null if A has no such setting. */
  images: number | null;
  why: Words;
}

/** A change that was tried, and on how many searched images it changes a score of A. */
export type Acting = Pick<Change, 'setting'> & { acting: number };

/** The settings that B's scores show or that are fitted to them. */
const always: readonly Setting[] = ['scale', 'rounding'];

/** The settings that only a changed copy of a graph shows. */
const inGraph: readonly Setting[] = ['imageActivation', 'imagePooling', 'textActivation', 'textPooling'];
const unknown = say('parity.untold.graph');

const needs: Partial<Record<Setting, Trait>> = {
  alpha: 'alpha',
  exif: 'turned',
  cropRounding: 'halves',
  truncation: 'long',
  whitespace: 'whitespace',
};

const missing: Partial<Record<Setting, Words>> = {
  alpha: say('parity.untold.alpha'),
  exif: say('parity.untold.exif'),
  cropRounding: say('parity.untold.cropRounding'),
  truncation: say('parity.untold.truncation'),
  whitespace: say('parity.untold.whitespace'),
  references: say('parity.untold.references'),
  normalisation: say('parity.untold.normalisation'),
};

/** The settings that too few searched images show. */
export function untoldOf(tried: readonly Acting[]): Untold[] {
  return settings
    .filter((setting) => !always.includes(setting))
    .flatMap((setting): Untold[] => {
      const own = tried.filter((change) => change.setting === setting);
      if (own.length === 0)
        return [
          { setting, images: null, why: inGraph.includes(setting) ? unknown : say('parity.untold.none') },
        ];
      const images = largest(own.map(({ acting }) => acting));
      if (images >= leastActing) return [];
      const why = images > 0 ? say('parity.untold.few', images, leastActing) : undefined;
      return [{ setting, images, why: why ?? missing[setting] ?? say('parity.untold.still') }];
    });
}

/** The same where A equals B, so that no setting was tried: the settings that need what no image or caption has. */
export function unseenOf({ traits }: Pick<Sample, 'traits'>): Untold[] {
  return settings.flatMap((setting): Untold[] => {
    const trait = needs[setting];
    if (trait === undefined || traits[trait].sample > 0) return [];
    return [{ setting, images: 0, why: missing[setting]! }];
  });
}
