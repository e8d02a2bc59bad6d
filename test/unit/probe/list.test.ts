import assert from 'node:assert/strict';
import { english } from '../../../src/base/english';
import { say } from '../../../src/base/say';
import { probeIds, probeNamed, resolveOptions } from '../../../src/probe/list';

describe('names of probes and of their options', () => {
  it('suggest the name that an unknown one is most like', () => {
    const all = say('base.chooseName', probeIds.join(', '));
    assert.throws(() => probeNamed('lgpi'), {
      kind: 'usage',
      what: say('probe.unknown', 'lgpi'),
      remedy: english(say('base.nearestName', 'lgip', all)),
    });
    assert.throws(() => probeNamed('nothing like it'), { remedy: english(all) });
  });

  it('suggest the option that was probably meant, and say if a probe has none', () => {
    const lgip = probeNamed('lgip');
    assert.throws(() => resolveOptions(lgip, { asInPapr: 'true' }), {
      remedy: english(
        say(
          'base.nearestName',
          'asInPaper',
          say('base.chooseName', lgip.options.map(({ key }) => key).join(', ')),
        ),
      ),
    });
    assert.throws(() => resolveOptions({ id: 'x', options: [] }, { a: '1' }), {
      remedy: english(say('probe.noOptions')),
    });
  });
});
