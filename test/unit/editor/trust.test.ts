import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Setting {
  type: string | string[];
  enum?: string[];
  items?: { pattern?: string };
}

const manifest = JSON.parse(readFileSync(join(__dirname, '../../../package.json'), 'utf8')) as {
  capabilities: { untrustedWorkspaces: { supported: string; restrictedConfigurations: string[] } };
  contributes: { configuration: { properties: Record<string, Setting> } };
};

describe('settings of an untrusted workspace', () => {
  const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;

  it('do not apply if they hold free text: a path, an address or a command', () => {
    assert.equal(supported, 'limited');
    const free = Object.entries(manifest.contributes.configuration.properties)
      .filter(([, { type, enum: choices, items }]) =>
        type === 'string' ? choices === undefined : type === 'array' ? items?.pattern === undefined : false,
      )
      .map(([name]) => name);
    assert.deepEqual(free.sort(), [...restrictedConfigurations].sort());
  });

  it('are of kinds that this test knows', () => {
    const kinds = new Set(
      Object.values(manifest.contributes.configuration.properties).flatMap(({ type }) => type),
    );
    assert.deepEqual([...kinds].sort(), ['array', 'boolean', 'integer', 'null', 'string']);
  });
});
