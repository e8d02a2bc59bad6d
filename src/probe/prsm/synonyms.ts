/**
 * Another word for each attribute of people that Social Counterfactuals names, and for some that captions often name. Each
 * pair was read by a person for whether a caption would keep its sense; race is named by the words of the census.
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
