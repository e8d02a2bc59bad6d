import assert from 'node:assert/strict';
import { evaluatorNames, isRepeated } from '../../../src/editor/runs/runRecord';

describe('the names of a run’s evaluators', () => {
  it('have no folders, endings or arguments', () => {
    for (const [evaluator, name] of [
      ['starter', 'starter'],
      ['/home/me/judge.evaluator.json', 'judge'],
      ['/models/clip', 'clip'],
      ['python:/home/me/my_metric.py:Evaluator?device=cuda', 'my_metric'],
      ['open_clip:ViT-B-32?pretrained=%2Fhome%2Fme%2Fx.pt', 'open_clip:ViT-B-32:x.pt'],
      ['clipscore:open_clip:ViT-B-32?pretrained=%2Fhome%2Fme%2Fx.pt', 'clipscore:open_clip:ViT-B-32:x.pt'],
      ['python:', 'python:'],
    ])
      assert.equal(evaluatorNames([{ evaluators: [evaluator] }]), name);
    assert.equal(evaluatorNames([{ evaluators: ['a', 'b'] }, { evaluators: ['a'] }]), 'a ⇄ b');
  });
});

describe('runs that only their date tells apart', () => {
  it('have the same dataset, probes and evaluators', () => {
    const run = (id: string, dataset = 'a.json', evaluators = ['starter']) => ({
      ...{ id, dataset, evaluators },
      probes: ['lgip'],
    });
    const first = run('1');
    assert.equal(isRepeated(first, [first, run('2', 'b.json'), run('3', 'a.json', ['other'])]), false);
    assert.equal(isRepeated(first, [first, run('4')]), true);
  });
});
