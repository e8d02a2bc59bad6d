// Makes a CycloneDX document of the shipped packages. Equal package-lock.json and package.json give equal bytes.
import { createHash } from 'node:crypto';

const sdk = '@modelcontextprotocol/sdk';
/** Packages for development whose code is in dist/mcp-sdk.js. npm does not install them with Captious. */
const bundled = new Set(
  [
    ...[sdk, `${sdk}/node_modules/ajv`, `${sdk}/node_modules/json-schema-traverse`],
    ...['ajv-formats', 'ajv-formats/node_modules/ajv', 'ajv-formats/node_modules/json-schema-traverse'],
    ...['fast-deep-equal', 'fast-uri', 'zod-to-json-schema'],
  ].map((name) => `node_modules/${name}`),
);

/** The shipped packages of the lockfile, with their dependencies, in a fixed order. */
export function shippedPackages(lock) {
  return Object.entries(lock.packages)
    .filter(([path, entry]) => path !== '' && ((!entry.dev && !entry.devOptional) || bundled.has(path)))
    .map(([path, entry]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      path,
      ...entry,
    }))
    .sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version) || compare(a.path, b.path));
}

export function sbomOf(lock, manifest) {
  const packages = shippedPackages(lock);
  const refs = new Map(packages.map(({ path, name, version }) => [path, refOf(name, version)]));
  const own = refOf(manifest.name, manifest.version);
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        'bom-ref': own,
        type: 'application',
        name: manifest.name,
        version: manifest.version,
        purl: own,
        licenses: [{ license: { id: manifest.license } }],
      },
    },
    components: unique(packages, ({ path }) => refs.get(path)).map((entry) => ({
      'bom-ref': refs.get(entry.path),
      type: 'library',
      name: entry.name,
      version: entry.version,
      scope: entry.optional ? 'optional' : 'required',
      purl: refs.get(entry.path),
      ...(entry.license === undefined ? {} : { licenses: [{ expression: entry.license }] }),
      ...(entry.integrity === undefined ? {} : { hashes: [hashOf(entry.integrity)] }),
    })),
    dependencies: unique([withSdk(manifest), ...packages], ({ path }) => refs.get(path) ?? own).map(
      ({ path, dependencies = {}, optionalDependencies = {} }) => ({
        ref: refs.get(path) ?? own,
        dependsOn: Object.keys({ ...dependencies, ...optionalDependencies })
          .map((name) => refs.get(resolved(lock, path, name)))
          .filter((ref) => ref !== undefined)
          .sort(compare),
      }),
    ),
  };
  const digest = createHash('sha256').update(JSON.stringify(bom)).digest('hex');
  const uuid = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
  return { ...bom, serialNumber: `urn:uuid:${uuid}` };
}

function withSdk({ dependencies, devDependencies, ...manifest }) {
  return { path: '', ...manifest, dependencies: { ...dependencies, [sdk]: devDependencies[sdk] } };
}

/** Finds a dependency as npm does: in the nearest node_modules folder upwards. */
function resolved(lock, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (lock.packages[path] !== undefined) return path;
    if (at === '') return undefined;
  }
}

function unique(items, keyOf) {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}

function refOf(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function hashOf(integrity) {
  const [algorithm, content] = integrity.split(' ')[0].split(/-(.*)/s);
  return {
    alg: { sha512: 'SHA-512', sha256: 'SHA-256', sha1: 'SHA-1' }[algorithm],
    content: Buffer.from(content, 'base64').toString('hex'),
  };
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}
