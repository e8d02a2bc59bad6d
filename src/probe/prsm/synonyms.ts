/**
 * Manually checked synonyms for the attributes of Social Counterfactuals and for other common attributes. The
 * terms for race are those of the US census.
 */
export const attributeSynonyms: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'middle eastern': 'Near Eastern',
    white: 'Caucasian',
    black: 'African American',
    asian: 'East Asian',
    indian: 'South Asian',
    latino: 'Hispanic',
    male: 'masculine',
    female: 'feminine',
    young: 'youthful',
    old: 'elderly',
    elderly: 'aged',
    skinny: 'thin',
    thin: 'slim',
    slim: 'slender',
    slender: 'slim',
    obese: 'very overweight',
    overweight: 'heavyset',
    tattooed: 'inked',
    muscular: 'brawny',
    bald: 'hairless',
    bearded: 'whiskered',
    blond: 'fair-haired',
    blonde: 'fair-haired',
    pregnant: 'expecting',
    blind: 'sightless',
    happy: 'joyful',
    sad: 'unhappy',
    angry: 'furious',
    rich: 'wealthy',
    poor: 'impoverished',
  }),
);
