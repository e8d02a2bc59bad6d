import assert from 'node:assert/strict';
import { mayBeTrue } from '../../../../src/perturb/long/doubtful';
import { variantOf } from '../../../../src/perturb/text/variant';

/** Whether the sentence with another word may be true. `others` are the image's other sentences. */
function doubtful(kind: string, sentence: string, changed: string, others = ''): boolean {
  const made = variantOf(sentence, changed, { family: 'flip', kind, rule: kind });
  return mayBeTrue(made, sentence, `${sentence}\n${others}`.toLowerCase());
}

describe('an error that may be none', () => {
  it('names another vehicle in traffic, or a car of a train', () => {
    assert.ok(doubtful('object', 'A bus drives on a street.', 'A truck drives on a street.'));
    assert.ok(doubtful('object', 'A bus waits.', 'A car waits.', 'There is other traffic.'));
    assert.ok(doubtful('object', 'A train stands still.', 'A car stands still.'));
    assert.ok(!doubtful('object', 'A bus waits by a wall.', 'A car waits by a wall.'));
    assert.ok(!doubtful('object', 'A dog walks on a street.', 'A cat walks on a street.'));
  });

  it('is in a sentence about people in general', () => {
    assert.ok(doubtful('object', 'It pays a cat to be careful.', 'It pays a dog to be careful.'));
  });

  it('names a color that people may give the same thing', () => {
    assert.ok(doubtful('color', 'A black poodle.', 'A brown poodle.'));
    assert.ok(doubtful('color', 'A red poodle.', 'A black poodle.', 'A dark dog.'));
    assert.ok(!doubtful('color', 'A red poodle.', 'A black poodle.'));
    assert.ok(!doubtful('color', 'An orange ball.', 'A blue ball.'));
  });

  it('names a part of a number that is stated once', () => {
    assert.ok(doubtful('number', 'Five cows graze.', 'Three cows graze.', 'Cows graze.'));
    assert.ok(!doubtful('number', 'Five cows graze.', 'Three cows graze.', 'There are five cows.'));
    assert.ok(!doubtful('number', 'Three cows graze.', 'Five cows graze.'));
  });

  it('is a relation that holds for another thing of the kind, for scenery, or from elsewhere', () => {
    const truck = 'A truck is behind a building.';
    assert.ok(
      doubtful('relation', truck, 'A truck is in front of a building.', 'A van in front of the building.'),
    );
    assert.ok(!doubtful('relation', truck, 'A truck is in front of a building.'));
    assert.ok(doubtful('relation', 'A hydrant near a mountain.', 'A hydrant far from a mountain.'));
    assert.ok(!doubtful('relation', 'A hydrant near a car.', 'A hydrant far from a car.'));
    assert.ok(doubtful('relation', 'A dog near a car.', 'A dog far from a car.', 'A collage of dogs.'));
    assert.ok(doubtful('relation', 'People outside a train station.', 'People inside a train station.'));
    assert.ok(doubtful('relation', 'He sits in front of a radio.', 'He sits behind a radio.'));
  });
});
