import prettier from 'eslint-config-prettier';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/** The rooms (folders of src, and webview) that each room may import from. No two import from each other. */
const rooms = {
  base: [],
  stats: ['base'],
  dataset: ['base', 'protocol'],
  perturb: ['base'],
  protocol: ['base', 'perturb'],
  evaluator: ['base', 'dataset', 'perturb', 'protocol'],
  bench: ['base', 'perturb', 'protocol', 'evaluator'],
  explain: ['base', 'stats', 'perturb', 'protocol', 'evaluator', 'bench'],
  parity: ['base', 'protocol', 'stats', 'dataset', 'perturb', 'evaluator', 'bench'],
  chart: ['base', 'protocol'],
  probe: ['base', 'chart', 'stats', 'dataset', 'perturb', 'protocol', 'evaluator', 'bench', 'explain'],
  mining: ['base', 'protocol', 'dataset', 'perturb'],
  repair: ['base', 'protocol', 'stats', 'dataset', 'perturb', 'evaluator', 'bench'],
  sessions: ['base', 'protocol', 'stats', 'perturb', 'probe', 'mining'],
  report: ['base', 'protocol', 'chart', 'stats', 'dataset', 'evaluator', 'explain', 'probe'],
  audit: [
    'base',
    'protocol',
    'chart',
    'stats',
    'dataset',
    'perturb',
    'evaluator',
    'bench',
    'explain',
    'probe',
    'report',
  ],
};
rooms.experiment = [...rooms.audit, 'audit'];
/** The reading process uses every room of the engine. */
rooms.service = Object.keys(rooms).filter((room) => room !== 'repair' && room !== 'parity');
rooms.assistant = ['base', 'protocol', 'explain', 'probe', 'report', 'service'];
const engine = Object.keys(rooms);
rooms.process = engine;
rooms.editor = [...engine.filter((room) => room !== 'audit'), 'process'];
rooms.mcp = engine;
rooms.cli = [...engine, 'mcp'];
rooms.webview = ['base', 'protocol', 'chart'];

const native = ['onnxruntime-node', 'onnxruntime-common', 'sharp'].map((name) => ({
  name,
  message: 'Native code runs in the child process only: src/evaluator/native.',
}));
const editorOnly = [
  { name: 'vscode', message: 'Only src/editor, src/extension.ts and src/web.ts know vscode.' },
];

const rawFiles = ['node:fs', 'node:fs/promises'].map((name) => ({
  name,
  importNames: ['writeFile', 'appendFile', 'copyFile', 'truncate', 'cp', 'link', 'symlink', 'readFile']
    .flatMap((own) => [own, `${own}Sync`])
    .concat('createWriteStream', 'createReadStream', 'promises', 'default'),
  message:
    'Files are written through src/base/files/writeFile.ts, which follows no link, and read through src/base/files/readFile.ts: regular files only, and never without a bound.',
}));
const exportsOnly = [
  { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
  { selector: 'ExportAllDeclaration', message: 'No barrel files.' },
];
const casts = [
  { selector: 'TSAsExpression > TSNeverKeyword', message: 'Nothing is cast to never.' },
  {
    selector: 'TSAsExpression > TSAsExpression > TSUnknownKeyword',
    message: 'A cast by way of unknown hides what does not fit.',
  },
];
/** A call's arguments are limited by the stack, so spreading a long list overflows it. */
const spreads = {
  selector: 'CallExpression[callee.object.name="Math"][callee.property.name=/^(max|min)$/] > SpreadElement',
  message: 'Use largest() or smallest() of src/base/extent.ts: a list may be too long to spread.',
};
const growths = {
  selector: 'CallExpression[callee.property.name=/^(push|unshift|splice)$/] > SpreadElement',
  message: 'Use append() of src/base/append.ts: a list may be too long to spread.',
};
const editorReads = {
  selector:
    'CallExpression[callee.property.name="readFile"]:matches([callee.object.name="fs"], [callee.object.property.name="fs"])',
  message: 'Files are read through src/editor/readFrom.ts, never without a bound.',
};
const editorWrites = {
  selector:
    'MemberExpression[property.name=/^(writeFile|copy)$/]:matches([object.name="fs"], [object.property.name="fs"])',
  message: 'Files are saved through src/editor/saveTo.ts, which follows no link.',
};
/** Only `open(path)` and `open(path, 'r')` are allowed. */
/** Replacing all but a few signs is how names of files are made from texts: only fileName() keeps texts apart. */
const names = {
  selector:
    'CallExpression[callee.property.name=/^replace(All)?$/][arguments.0.regex.pattern=/^\\[\\^.*[.-].*\\]/][arguments.1.value=/^[_-]$/]',
  message: 'Names of files are made from texts by fileName() of src/base/files/fileName.ts.',
};
const openings = {
  selector: 'CallExpression[callee.name=/^open(Sync)?$/][arguments.1][arguments.1.value!="r"]',
  message: 'Files are opened to write through src/base/files/writeFile.ts, which follows no link.',
};

const inNotify = 'Texts are shown through src/editor/notify.ts, which makes what they quote harmless.';
const shown = [
  'MemberExpression[property.name=/^(show(Error|Warning|Information)Message|(show|create)(QuickPick|InputBox)|setStatusBarMessage)$/]',
  'MemberExpression[object.property.name="window"][property.name="withProgress"]',
  'NewExpression[callee.property.name=/^(MarkdownString|TreeItem|CodeLens|InlayHint|Diagnostic|TestMessage)$/]',
  'NewExpression[callee.property.name="CodeAction"]:not([arguments.0.callee.name="inert"])',
  'AssignmentExpression[left.property.name=/^(title|tooltip|description)$/]:not([right.callee.name=/^(inert|tooltipOf)$/]):not([right.right.callee.name="inert"])',
  'AssignmentExpression[left.property.name=/^(isTrusted|supportHtml|supportThemeIcons)$/]',
].map((selector) => ({ selector, message: inNotify }));

/** Restricts `import()`, which `no-restricted-imports` does not check. */
function loaded(pattern, message) {
  return { selector: `ImportExpression[source.value=/${pattern}/]`, message };
}
const nativeLoaded = loaded('^(onnxruntime-(node|common)|sharp)$', native[0].message);
const vscodeLoaded = loaded('^vscode$', editorOnly[0].message);

/** A unit test waits for events (test/until.ts) or moves its own clock; durations are measured in test/bench. */
const clocks = [
  {
    selector:
      ':matches(CallExpression[callee.name="setTimeout"], ImportDeclaration[source.value="node:timers/promises"] ImportSpecifier[imported.name="setTimeout"])',
    message: 'Wait for an event: until() of test/until.ts, or a mocked clock.',
  },
  {
    selector: 'CallExpression[callee.object.name="performance"][callee.property.name="now"]',
    message: 'How long something takes is measured in test/bench; a clock can be mocked.',
  },
  {
    selector:
      'BinaryExpression[operator=/^[<>]=?$/] CallExpression[callee.object.name="Date"][callee.property.name="now"]',
    message: 'Compare with a time that the test has set, not with now.',
  },
];

const closedTo = (room) =>
  Object.keys(rooms).filter((other) => other !== room && !rooms[room].includes(other));
const may = (room) => `The room ${room} may import from: ${rooms[room].join(', ') || 'nothing'}.`;

function syntaxOf(room) {
  const top = room === 'webview' ? '\\u002fsrc' : '\\.\\.';
  return [
    ...exportsOnly,
    ...casts,
    spreads,
    growths,
    names,
    loaded(`${top}\\u002f(${closedTo(room).join('|')})\\u002f`, may(room)),
    ...(room === 'webview' ? [] : [openings]),
    ...(room === 'editor' ? [] : [vscodeLoaded]),
  ];
}

function importsOf(room) {
  return {
    paths: [...rawFiles, ...(room === 'editor' ? [] : editorOnly)],
    patterns: [
      {
        group: closedTo(room).map((other) => (room === 'webview' ? `**/src/${other}/**` : `**/${other}/**`)),
        message: may(room),
      },
      ...(room === 'editor'
        ? []
        : [
            {
              regex: '^(\\.\\./)+(audit|cli|extension)(\\.js)?$',
              message: 'Rooms do not know who uses them.',
            },
          ]),
    ],
  };
}

const roomRules = Object.keys(rooms).map((room) => {
  const { paths, patterns } = importsOf(room);
  return {
    files: [room === 'webview' ? 'webview/**/*.ts' : `src/${room}/**/*.ts`],
    rules: {
      'no-restricted-imports': ['error', { paths: [...native, ...paths], patterns }],
      'no-restricted-syntax': ['error', ...syntaxOf(room), nativeLoaded],
    },
  };
});

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'out/',
      'node_modules/',
      '.vscode-test/',
      '.venv/',
      '.cache/',
      'test/fixtures/',
      'models/build/.venv/',
    ],
  },
  ...tseslint.configs.strict,
  ...tseslint.configs.stylistic,
  prettier,
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // A message in a template would become "[object Object]".
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true, allowNullish: true, allowArray: true, allowAny: true },
      ],
      // Typed arrays are indexed everywhere, within bounds by construction.
      '@typescript-eslint/no-non-null-assertion': 'off',
      'no-restricted-syntax': ['error', ...exportsOnly],
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...exportsOnly,
        ...casts,
        spreads,
        growths,
        names,
        openings,
        nativeLoaded,
      ],
    },
  },
  {
    files: ['src/*.ts'],
    ignores: ['src/extension.ts', 'src/web.ts'],
    rules: { 'no-restricted-imports': ['error', { paths: [...native, ...rawFiles, ...editorOnly] }] },
  },
  ...roomRules,
  {
    files: ['src/editor/**/*.ts', 'src/extension.ts', 'src/web.ts'],
    ignores: ['src/editor/notify.ts', 'src/editor/readFrom.ts', 'src/editor/saveTo.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...syntaxOf('editor'),
        nativeLoaded,
        editorReads,
        editorWrites,
        ...shown,
      ],
    },
  },
  {
    files: ['src/evaluator/native/**/*.ts'],
    rules: {
      'no-restricted-imports': ['error', importsOf('evaluator')],
      'no-restricted-syntax': ['error', ...syntaxOf('evaluator')],
    },
  },
  {
    files: ['src/base/files/fileName.ts'],
    rules: { 'no-restricted-syntax': ['error', ...syntaxOf('base').filter((rule) => rule !== names)] },
  },
  {
    files: ['src/base/files/writeFile.ts', 'src/base/files/readFile.ts'],
    rules: { 'no-restricted-imports': 'off', 'no-restricted-syntax': ['error', ...exportsOnly, ...casts] },
  },
  {
    files: ['src/**/*.ts', 'webview/**/*.ts'],
    rules: {
      'max-lines': ['error', 300],
      'max-lines-per-function': ['error', 80],
    },
  },
  // Foreign text meets every pattern of these folders. test/faults/longLines.test.ts measures what no rule can see.
  {
    files: ['src/**/*.ts', 'webview/**/*.ts'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignoreSticky: true }],
    },
  },
  // One state machine over bytes: all its states share every field, so splitting it would pass all of them around.
  { files: ['src/dataset/text/jsonFramer.ts'], rules: { 'max-lines': ['error', 370] } },
  { files: ['test/**/*.ts'], rules: { '@typescript-eslint/no-unused-expressions': 'off' } },
  {
    files: ['test/unit/**/*.ts', 'test/system/**/*.ts', 'test/host/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...exportsOnly, ...clocks] },
  },
);
