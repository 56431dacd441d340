/** A JSON Schema as far as the document and its page look into it. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  format?: string;
  enum?: readonly unknown[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  allOf?: readonly Schema[];
  additionalProperties?: Schema | boolean;
  examples?: readonly unknown[];
  deprecated?: boolean;
  [keyword: string]: unknown;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  deprecated?: boolean;
  schema: Schema;
  example?: unknown;
}

export interface Answer {
  description: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, { schema: Schema }>;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security?: object[];
  parameters?: (Parameter | { $ref: string })[];
  /** of one type */
  requestBody?: { required: boolean; content: Record<string, { schema: Schema; example?: unknown }> };
  responses: Record<string, Answer>;
}

export interface ApiDocument {
  openapi: '3.1.0';
  info: {
    title: string;
    version: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string }[];
  tags: { name: string }[];
  security: object[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; [kind: string]: object };
}
