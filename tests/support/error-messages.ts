import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { projectRoot } from '../../server/root.ts';

/** A refusal as the code makes it: its code, and what it says with "…" for what is different each time. */
export interface SaidError {
  code: string;
  message: string;
}

export interface Said {
  messages: SaidError[];
  /** places at which something is refused and no sentence can be read from the code: "file:line" */
  blind: string[];
}

/** A piece of code as the parser tells it (ESTree). */
interface Node {
  type: string;
  start: number;
  end: number;
  [member: string]: unknown;
}

/** What a name stands for where it is declared. */
type Declared =
  | { kind: 'value'; value: Node; file: File }
  | { kind: 'member'; of: Node; key: string; file: File }
  | { kind: 'function'; node: Node; file: File }
  | { kind: 'parameter'; of: Node; index: number }
  | { kind: 'import'; path: string; name: string }
  | { kind: 'other' };

interface File {
  path: string;
  text: string;
  program: Node;
  parents: Map<Node, Node>;
  scopes: Map<Node, Map<string, Declared>>;
  /** calls, assignments and members, which may refuse */
  telling: Node[];
}

const TELLING = new Set([
  'NewExpression',
  'CallExpression',
  'AssignmentExpression',
  'VariableDeclarator',
  'Property',
  'ObjectExpression',
]);

/** What an expression may say, and which arguments of the functions around it are said with it. */
interface Sayings {
  texts: string[];
  parameters: { of: Node; index: number }[];
}

/** A call that refuses: which argument is the sentence, and the code that goes with it. */
interface Sink {
  argument: number;
  code: string | { argument: number };
}

/** Codes of reading one CFDI, which reach people as one. */
const OF_READING = /^server\/formats\/cfdi\//;

/** Where rules say what they have against a draft. */
const OF_RULES = /^server\/services\//;

/** What refuses without being an error: a row of a table, a document, a rule's answer. */
const REFUSING: Readonly<Record<string, Sink>> = {
  'shared/refusal.ts refusal': { argument: 0, code: 'invalid' },
  'server/services/imports/row-values.ts Refused': { argument: 1, code: 'row_refused' },
  'server/formats/tables/table.ts refuse': { argument: 0, code: 'row_refused' },
  'server/services/invoices/documents.ts refuse': { argument: 0, code: 'cfdi_refused' },
};

/** Handed a function that refuses, whatever it is called where it comes from. */
const REFUSING_ARGUMENT: Readonly<Record<string, Sink>> = {
  refuse: { argument: 1, code: 'row_refused' },
};

/** Which argument holds a sentence for each field. */
const OF_FIELDS: Readonly<Record<string, number>> = { refusals: 0, refuseEmptied: 1 };

/** Objects that sentences are collected in, by field. */
const COLLECTED = new Set(['fields', 'errors', 'wrong']);

/** Members that hold why something is refused, by where they are written. */
const MEMBERS: readonly { in: RegExp; name: string; code: string }[] = [
  { in: /^server\/services\/cfdi\//, name: 'refused', code: 'cfdi_refused' },
  { in: /^server\/services\/cfdi\//, name: 'reason', code: 'cfdi_refused' },
  { in: /^server\/(services\/imports|formats\/tables)\//, name: 'reason', code: 'row_refused' },
  { in: /^server\/formats\/tables\//, name: 'problem', code: 'row_refused' },
  { in: /./, name: 'refusal', code: 'busy' },
];

/** Tables of sentences that a pattern chooses among. */
const TABLES: Readonly<Record<string, string>> = {
  'db/explain.ts OUTAGES': 'database_unreachable',
  'db/explain.ts REFUSALS': 'database_unreachable',
};

/** What passes on the sentence of another refusal, which is read where that one is made. */
const PASSED_ON = new Set(['message', 'reason', 'refused', 'mismatch', 'problem', 'refusal']);

/** Functions whose answer says what they are given first. */
const PASSING = new Set([
  'withRemedy',
  'withCode',
  'plainText',
  'textWithIds',
  'oneLine',
  'say',
  'inSpanish',
]);

/**
 * Every sentence with which anything is refused, read from the code: literals and templates, constants, entries of
 * tables of texts, what functions return, and what is handed to functions that refuse.
 * @param known codes that stand for themselves
 */
export function errorMessages(known: ReadonlySet<string>): Said {
  const reader = new RefusalReader();
  const found = new Map<string, SaidError>();
  for (const { file, code, message } of reader.messages) {
    const shown = OF_READING.test(file) && !known.has(code) ? 'bad_cfdi' : code;
    found.set(`${shown}\n${message}`, { code: shown, message });
  }
  return {
    messages: [...found.values()].sort((a, b) => compare(a.code, b.code) || compare(a.message, b.message)),
    blind: reader.blind,
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

class RefusalReader {
  readonly messages: (SaidError & { file: string })[] = [];
  readonly blind: string[] = [];
  readonly #files = new Map<string, File>();
  readonly #sinks = new Map<Node, Sink[]>();

  constructor() {
    const paths = globSync('{server,shared,db}/**/*.{ts,tsx}', { cwd: projectRoot }).sort();
    for (const path of paths) this.#files.set(path, readFile(path));
    // A function that hands its argument to one that refuses refuses by it too: until no more of them are found.
    for (let before = -1; before !== this.#sinks.size; ) {
      before = this.#sinks.size;
      this.messages.length = 0;
      this.blind.length = 0;
      for (const file of this.#files.values()) for (const node of file.telling) this.#read(node, file);
    }
  }

  #read(node: Node, file: File): void {
    if (node.type === 'NewExpression' || node.type === 'CallExpression') this.#readCall(node, file);
    else if (node.type === 'ObjectExpression') this.#readRule(node, file);
    else if (node.type === 'AssignmentExpression') {
      // `fields.amount = 'Indica la cantidad.'`
      const target = part(node, 'left');
      if (target?.type === 'MemberExpression' && COLLECTED.has(nameOf(part(target, 'object')) ?? ''))
        this.#say(part(node, 'right'), file, 'invalid', { mayBeBlind: true });
    } else if (node.type === 'VariableDeclarator') {
      const name = nameOf(part(node, 'id')) ?? '';
      if (COLLECTED.has(name)) this.#sayFields(part(node, 'init'), file, 'invalid');
      const code = TABLES[`${file.path} ${name}`];
      if (code) this.#say(part(node, 'init'), file, code);
    } else
      for (const member of MEMBERS)
        if (nameOf(part(node, 'key')) === member.name && member.in.test(file.path))
          this.#say(part(node, 'value'), file, member.code, { mayBeBlind: true });
  }

  /** What a rule has against a draft: `{ kind, message, code }`, or `{ ...refusal(message), code }`. */
  #readRule(object: Node, file: File): void {
    if (!OF_RULES.test(file.path)) return;
    const [kind, own] = [propertyOf(object, 'kind'), propertyOf(object, 'code')];
    if (!own && literal(kind) === undefined) return;
    const refused = parts(object, 'properties')
      .map((one) => part(one, 'argument'))
      .find((one) => nameOf(one && part(one, 'callee')) === 'refusal');
    const message = propertyOf(object, 'message') ?? (refused && parts(refused, 'arguments')[0]);
    const code = this.#codeOf(kind, object, file);
    this.#say(message, file, code, { mayBeBlind: true });
    if (message) this.#sayFields(propertyOf(object, 'fields'), file, code);
  }

  /** Its object says its code. */
  #isSpread(call: Node, file: File): boolean {
    const spread = file.parents.get(call);
    const object = spread && file.parents.get(spread);
    return spread?.type === 'SpreadElement' && Boolean(object && propertyOf(object, 'code'));
  }

  #readCall(call: Node, file: File): void {
    const callee = part(call, 'callee');
    const args = parts(call, 'arguments');
    const name = nameOf(callee) ?? '';
    if (name === 'refusal' && OF_RULES.test(file.path) && this.#isSpread(call, file)) return;
    const ofFields = OF_FIELDS[name];
    if (name === 'DomainError' && call.type === 'NewExpression') {
      const code = this.#codeOf(args[0], args[2], file);
      this.#say(args[1], file, code);
      this.#sayFields(args[2] && propertyOf(args[2], 'fields'), file, code);
    } else if (ofFields !== undefined) this.#sayFields(args[ofFields], file, 'invalid');
    else
      for (const { argument, code } of this.#sinksOf(callee, file)) {
        const said = typeof code === 'string' ? code : literal(args[code.argument]);
        this.#say(args[argument], file, said ?? code);
      }
  }

  /** A sentence for each field. */
  #sayFields(object: Node | undefined, file: File, code: Sink['code'] | undefined): void {
    for (const [found, of] of this.#objectsOf(object, file, 0))
      for (const [value, its] of this.#valuesIn(found, undefined, of, 0))
        this.#say(value, its, code, { mayBeBlind: true });
  }

  #sinksOf(callee: Node | undefined, file: File): Sink[] {
    const declared = this.#resolve(callee, file);
    if (declared?.kind === 'parameter') {
      const given = REFUSING_ARGUMENT[nameOf(callee) ?? ''];
      return given ? [given] : [];
    }
    if (declared?.kind === 'function') {
      const name = `${declared.file.path} ${nameOf(callee)}`;
      return this.#sinks.get(declared.node) ?? (REFUSING[name] ? [REFUSING[name]] : []);
    }
    const of = this.#fileOfName(callee, file);
    const base = of === undefined ? undefined : REFUSING[`${of} ${nameOf(callee)}`];
    return base ? [base] : [];
  }

  /** Where a class is declared: it is no function to be read. */
  #fileOfName(callee: Node | undefined, file: File): string | undefined {
    const name = nameOf(callee);
    if (!callee || name === undefined) return undefined;
    const declared = lookUp(name, callee, file);
    return declared?.kind === 'import' ? declared.path : declared ? file.path : undefined;
  }

  #say(
    expression: Node | undefined,
    file: File,
    code: Sink['code'] | undefined,
    { mayBeBlind = false } = {},
  ): void {
    if (!expression || code === undefined) return;
    const { texts, parameters } = this.#sayings(expression, file, 0);
    const sentences = texts.filter(isSentence);
    if (typeof code === 'string')
      for (const message of sentences) this.messages.push({ file: file.path, code, message });
    for (const { of, index } of parameters) this.#addSink(of, { argument: index, code });
    if (
      sentences.length === 0 &&
      parameters.length === 0 &&
      !mayBeBlind &&
      !this.#isPassedOn(expression, file)
    )
      this.blind.push(
        `${file.path}:${file.text.slice(0, expression.start).split('\n').length} ${file.text.slice(expression.start, expression.end)}`,
      );
  }

  /** `error.message`, and what is taken out of the fields of another refusal. */
  #isPassedOn(expression: Node | undefined, file: File): boolean {
    if (!expression) return false;
    if (expression.type === 'CallExpression' && PASSING.has(nameOf(part(expression, 'callee')) ?? ''))
      return this.#isPassedOn(parts(expression, 'arguments')[0], file);
    if (expression.type === 'MemberExpression')
      return Boolean(expression.computed) || PASSED_ON.has(nameOf(part(expression, 'property')) ?? '');
    if (expression.type === 'LogicalExpression' || expression.type === 'ConditionalExpression') return true;
    const named = expression.type === 'CallExpression' ? part(expression, 'callee') : expression;
    const declared = this.#resolve(named, file);
    return declared?.kind === 'other' || declared?.kind === 'member';
  }

  #addSink(of: Node, sink: Sink): void {
    const sinks = this.#sinks.get(of) ?? [];
    const isKnown = sinks.some((one) => JSON.stringify(one) === JSON.stringify(sink));
    if (!isKnown) this.#sinks.set(of, [...sinks, sink]);
  }

  /** The literal in the detail, the argument that it is, or what the kind makes of itself. */
  #codeOf(kind: Node | undefined, detail: Node | undefined, file: File): Sink['code'] | undefined {
    const own = detail && propertyOf(detail, 'code');
    if (!own) return literal(kind)?.replaceAll('-', '_') ?? 'invalid';
    const { texts, parameters } = this.#sayings(own, file, 0);
    return texts[0] ?? (parameters[0] && { argument: parameters[0].index });
  }

  #sayings(expression: Node | undefined, file: File, depth: number): Sayings {
    if (!expression || depth > 12) return NOTHING;
    const all = (nodes: readonly (Node | undefined)[], of = file) =>
      together(nodes.map((node) => this.#sayings(node, of, depth + 1)));
    switch (expression.type) {
      case 'Literal':
        return typeof expression.value === 'string' ? { texts: [expression.value], parameters: [] } : NOTHING;
      case 'TemplateLiteral':
        return { texts: this.#filled(expression, file, depth), parameters: [] };
      case 'TaggedTemplateExpression':
        return all([part(expression, 'quasi')]);
      case 'ConditionalExpression':
        return all([part(expression, 'consequent'), part(expression, 'alternate')]);
      case 'LogicalExpression':
        return all([part(expression, 'left'), part(expression, 'right')]);
      case 'ArrayExpression':
        return all(parts(expression, 'elements'));
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
      case 'FunctionDeclaration':
        return all(returnsOf(expression));
      case 'Identifier':
        return this.#sayingsOf(this.#resolve(expression, file), depth);
      case 'MemberExpression':
        return together(
          this.#membersOf(expression, file, depth + 1).map(([node, of]) =>
            this.#sayings(node, of, depth + 1),
          ),
        );
      case 'CallExpression':
        return this.#sayingsOfCall(expression, file, depth);
      default: {
        const inner = part(expression, WRAPPED[expression.type] ?? '');
        return inner ? all([inner]) : NOTHING;
      }
    }
  }

  /** A template with "…" for each of its expressions, but for those that are whole sentences themselves. */
  #filled(template: Node, file: File, depth: number): string[] {
    const [first] = parts(template, 'quasis');
    const begins = (first?.value as { cooked: string } | undefined)?.cooked === '';
    const holes = parts(template, 'expressions').map((hole, index) => {
      const { texts } = this.#sayings(hole, file, depth + 1);
      const isWhole = (text: string) => /[.?]$/.test(text) || (begins && index === 0);
      const sentences = texts.filter((text) => isSentence(text) && isWhole(text));
      return sentences.length > 0 && sentences.length === texts.length ? sentences : ['…'];
    });
    const many = holes.reduce((count, { length }) => count * length, 1) > MOST_WAYS;
    let filled = [''];
    for (const [index, quasi] of parts(template, 'quasis').entries()) {
      const { cooked } = quasi.value as { cooked: string };
      const next = (many ? ['…'] : holes[index]) ?? [''];
      filled = filled.flatMap((before) =>
        (index < holes.length ? next : ['']).map((hole) => before + cooked + hole),
      );
    }
    return filled.map((text) => text.replace(/(?:… ?)+…/g, '…').trim());
  }

  #sayingsOf(declared: Declared | undefined, depth: number): Sayings {
    if (declared?.kind === 'value') return this.#sayings(declared.value, declared.file, depth + 1);
    if (declared?.kind === 'function') return this.#sayings(declared.node, declared.file, depth + 1);
    if (declared?.kind === 'member')
      return together(
        this.#objectsOf(declared.of, declared.file, depth + 1).flatMap(([object, of]) =>
          this.#valuesIn(object, declared.key, of, depth).map(([node, file]) =>
            this.#sayings(node, file, depth + 1),
          ),
        ),
      );
    if (declared?.kind === 'parameter')
      return { texts: [], parameters: [{ of: declared.of, index: declared.index }] };
    return NOTHING;
  }

  /** What a function returns; of its own arguments what stands for them here. */
  #sayingsOfCall(call: Node, file: File, depth: number): Sayings {
    const callee = part(call, 'callee');
    const args = parts(call, 'arguments');
    if (PASSING.has(nameOf(callee) ?? '')) return this.#sayings(args[0], file, depth + 1);
    const functions: [Node, File][] =
      callee?.type === 'MemberExpression'
        ? this.#membersOf(callee, file, depth + 1)
        : functionOf(this.#resolve(callee, file));
    return together(
      functions.map(([fn, of]) => {
        const { texts, parameters } = this.#sayings(fn, of, depth + 1);
        return together([
          { texts, parameters: parameters.filter((one) => one.of !== fn) },
          ...parameters
            .filter((one) => one.of === fn)
            .map(({ index }) => this.#sayings(args[index], file, depth + 1)),
        ]);
      }),
    );
  }

  /** The values that a member may have: `texts.tooLong`, or any of them where which one is worked out. */
  #membersOf(expression: Node, file: File, depth: number): [Node, File][] {
    if (depth > 12) return [];
    const property = part(expression, 'property');
    if (part(expression, 'object')?.type === 'ThisExpression') return methodOf(expression, property, file);
    const key = expression.computed ? literal(property) : nameOf(property);
    return this.#objectsOf(part(expression, 'object'), file, depth + 1).flatMap(([object, of]) =>
      this.#valuesIn(object, key, of, depth),
    );
  }

  #objectsOf(expression: Node | undefined, file: File, depth: number): [Node, File][] {
    if (!expression || depth > 12) return [];
    switch (expression.type) {
      case 'ObjectExpression':
        return [[expression, file]];
      case 'ConditionalExpression':
        return ['consequent', 'alternate'].flatMap((name) =>
          this.#objectsOf(part(expression, name), file, depth + 1),
        );
      case 'Identifier': {
        const declared = this.#resolve(expression, file);
        return declared?.kind === 'value' ? this.#objectsOf(declared.value, declared.file, depth + 1) : [];
      }
      case 'MemberExpression':
        return this.#membersOf(expression, file, depth + 1).flatMap(([node, of]) =>
          this.#objectsOf(node, of, depth + 1),
        );
      default: {
        const inner = part(expression, WRAPPED[expression.type] ?? '');
        return inner ? this.#objectsOf(inner, file, depth + 1) : [];
      }
    }
  }

  #valuesIn(object: Node, key: string | undefined, file: File, depth: number): [Node, File][] {
    return parts(object, 'properties').flatMap((property): [Node, File][] => {
      if (property.type === 'SpreadElement')
        return this.#objectsOf(part(property, 'argument'), file, depth + 1).flatMap(([inner, of]) =>
          this.#valuesIn(inner, key, of, depth + 1),
        );
      const value = part(property, 'value');
      const name = nameOf(part(property, 'key')) ?? literal(part(property, 'key'));
      return value && (key === undefined || name === key) ? [[value, file]] : [];
    });
  }

  #resolve(name: Node | undefined, file: File): Declared | undefined {
    if (name?.type !== 'Identifier') return undefined;
    let declared = lookUp(String(name.name), name, file);
    for (let hops = 0; declared?.kind === 'import' && hops < 4; hops++) {
      const other = this.#files.get(declared.path);
      declared = other?.scopes.get(other.program)?.get(declared.name);
    }
    return declared;
  }
}

/** In how many ways a template is told that holds other sentences. */
const MOST_WAYS = 6;

/** More than a word, a code or a name. */
const isSentence = (text: string): boolean => /\p{L}{2}/u.test(text) && text.includes(' ');

const NOTHING: Sayings = { texts: [], parameters: [] };

const together = (all: readonly Sayings[]): Sayings => ({
  texts: all.flatMap(({ texts }) => texts),
  parameters: all.flatMap(({ parameters }) => parameters),
});

/** What says no more than the expression in it. */
const WRAPPED: Readonly<Record<string, string>> = {
  TSAsExpression: 'expression',
  TSSatisfiesExpression: 'expression',
  TSNonNullExpression: 'expression',
  ParenthesizedExpression: 'expression',
  ChainExpression: 'expression',
  AwaitExpression: 'argument',
};

const FUNCTIONS = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration']);

const SCOPES = new Set([
  ...FUNCTIONS,
  ...['Program', 'BlockStatement', 'ForStatement', 'ForOfStatement', 'ForInStatement'],
]);

function functionOf(declared: Declared | undefined): [Node, File][] {
  if (declared?.kind === 'function') return [[declared.node, declared.file]];
  return declared?.kind === 'value' ? [[declared.value, declared.file]] : [];
}

/** `this.#shortOf` */
function methodOf(at: Node, name: Node | undefined, file: File): [Node, File][] {
  let owner: Node | undefined = at;
  while (owner && owner.type !== 'ClassBody') owner = file.parents.get(owner);
  return parts(owner, 'body')
    .filter((one) => part(one, 'key')?.name === name?.name)
    .flatMap((one): [Node, File][] => {
      const value = part(one, 'value');
      return value ? [[value, file]] : [];
    });
}

/** What it answers with, not what functions within it do. */
function returnsOf(fn: Node): (Node | undefined)[] {
  const body = part(fn, 'body');
  if (body && body.type !== 'BlockStatement') return [body];
  const returned: (Node | undefined)[] = [];
  if (body)
    visit(body, (node) => {
      if (node.type === 'ReturnStatement') returned.push(part(node, 'argument'));
      return !FUNCTIONS.has(node.type);
    });
  return returned;
}

function readFile(path: string): File {
  const text = readFileSync(join(projectRoot, path), 'utf8');
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  // The parser's types name every kind of node; this reads a few of them.
  const file: File = {
    path,
    text,
    program: program as unknown as Node,
    parents: new Map(),
    scopes: new Map(),
    telling: [],
  };
  visit(file.program, (node, parent) => {
    if (parent) file.parents.set(node, parent);
    if (TELLING.has(node.type)) file.telling.push(node);
  });
  visit(file.program, (node) => declare(node, file));
  return file;
}

function declare(node: Node, file: File): void {
  const put = (at: Node, name: string | undefined, declared: Declared) => {
    if (name === undefined) return;
    const scope = scopeOf(at, file);
    const names = file.scopes.get(scope) ?? new Map<string, Declared>();
    file.scopes.set(scope, names.set(name, declared));
  };
  if (node.type === 'ImportDeclaration') {
    const from = literal(part(node, 'source')) ?? '';
    if (!from.startsWith('.')) return;
    const path = join(file.path, '..', from);
    for (const specifier of parts(node, 'specifiers')) {
      const name = nameOf(part(specifier, 'imported')) ?? 'default';
      put(node, nameOf(part(specifier, 'local')), { kind: 'import', path, name });
    }
  } else if (node.type === 'VariableDeclarator') {
    const [id, value] = [part(node, 'id'), part(node, 'init')];
    if (id && value) declarePattern(id, value, (name, declared) => put(node, name, declared), file);
  } else if (node.type === 'ClassDeclaration') put(node, nameOf(part(node, 'id')), { kind: 'other' });
  if (!FUNCTIONS.has(node.type)) return;
  if (node.type === 'FunctionDeclaration') {
    const outside = file.parents.get(node) ?? file.program;
    put(outside, nameOf(part(node, 'id')), { kind: 'function', node, file });
  }
  for (const [index, given] of parts(node, 'params').entries()) {
    const named = given.type === 'AssignmentPattern' ? part(given, 'left') : given;
    if (named?.type === 'Identifier') put(node, nameOf(named), { kind: 'parameter', of: node, index });
    else if (named?.type === 'ObjectPattern')
      visit(named, (inner) => put(node, nameOf(inner), { kind: 'other' }));
  }
}

/** `const message = …`, `const { tooLong } = texts`, `const [reason, remedy] = […]` */
function declarePattern(
  id: Node,
  value: Node,
  put: (name: string | undefined, declared: Declared) => void,
  file: File,
): void {
  visit(id, (node) => put(nameOf(node), { kind: 'other' }));
  if (id.type === 'Identifier')
    put(
      nameOf(id),
      FUNCTIONS.has(value.type) ? { kind: 'function', node: value, file } : { kind: 'value', value, file },
    );
  else if (id.type === 'ObjectPattern')
    for (const property of parts(id, 'properties')) {
      const key = nameOf(part(property, 'key')) ?? '';
      put(nameOf(boundIn(part(property, 'value'))), { kind: 'member', of: value, key, file });
    }
  else if (id.type === 'ArrayPattern' && value.type === 'ArrayExpression')
    for (const [index, element] of ((id.elements as (Node | null)[] | undefined) ?? []).entries()) {
      const own = parts(value, 'elements')[index];
      if (own) put(nameOf(element ?? undefined), { kind: 'value', value: own, file });
    }
}

const boundIn = (pattern: Node | undefined): Node | undefined =>
  pattern?.type === 'AssignmentPattern' ? part(pattern, 'left') : pattern;

function scopeOf(node: Node, file: File): Node {
  let scope: Node | undefined = node;
  while (scope && !SCOPES.has(scope.type)) scope = file.parents.get(scope);
  return scope ?? file.program;
}

function lookUp(name: string, from: Node, file: File): Declared | undefined {
  for (let node: Node | undefined = from; node; node = file.parents.get(node)) {
    const declared = file.scopes.get(node)?.get(name);
    if (declared) return declared;
  }
  return undefined;
}

/** Goes through a piece of code from the outside in; into what is not gone into where the visitor says false. */
function visit(node: Node, visitor: (node: Node, parent: Node | undefined) => unknown, parent?: Node): void {
  if (visitor(node, parent) === false) return;
  for (const [name, value] of Object.entries(node)) {
    if (name === 'parent') continue;
    for (const inner of Array.isArray(value) ? value : [value])
      if (isNode(inner)) visit(inner, visitor, node);
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const part = (node: Node | undefined, name: string): Node | undefined =>
  isNode(node?.[name]) ? node[name] : undefined;

const parts = (node: Node | undefined, name: string): Node[] =>
  Array.isArray(node?.[name]) ? node[name].filter(isNode) : [];

const propertyOf = (object: Node, name: string): Node | undefined =>
  parts(object, 'properties')
    .filter((property) => nameOf(part(property, 'key')) === name)
    .map((property) => part(property, 'value'))[0];

const nameOf = (node: Node | undefined): string | undefined =>
  node?.type === 'Identifier' ? String(node.name) : undefined;

const literal = (node: Node | undefined): string | undefined =>
  node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
