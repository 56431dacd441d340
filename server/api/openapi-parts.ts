export const INTRODUCTION = [
  'Todo lo que hacen las pantallas, para programas. Cada dirección vale con y sin diagonal al final.',
  'Los importes son decimales (`1160.5`), las fechas `AAAA-MM-DD`, los momentos UTC. En los parámetros, un valor vacío, `undefined` o `null` cuenta como ausente; uno desconocido o repetido es 400.',
  'Los registros se crean con 201, se cambian con 200 (todos o algunos campos; los desconocidos son 400) y se eliminan con 204. Todo cambio queda en la bitácora a nombre de quien tiene la sesión.',
  'Una lista sin `limit` llega entera hasta 10,000 filas (facturas, pagos y bitácora: 1,000); con `limit` y `cursor` se pagina: `Link` lleva la dirección de la página siguiente y `X-Total-Count` cuenta todas las filas.',
  'Con `format=csv`, `xlsx`, `pdf` o `json` la misma consulta responde un archivo con todo lo filtrado; `limit` lo acorta.',
  'Todo error responde `{ "message", "code", "fields"? }`.',
].join('\n\n');

const createHeaderObject = (description: string, schema: object) => ({ description, schema });
const createSumHeader = (summed: string) =>
  createHeaderObject(`${summed} de todo lo filtrado, no de la página`, {
    type: 'string',
    format: 'decimal',
    examples: ['1160.50'],
  });

export const IDEMPOTENCY_PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Una clave que inventa quien llama, distinta para cada alta. La misma clave con el mismo cuerpo, hasta 48 horas después, responde lo mismo y no crea nada; con otro cuerpo es 409.',
  schema: { type: 'string', minLength: 1, maxLength: 100, pattern: '^[!-~]+$' },
  example: '7f3b2c1e-alta-1',
} as const;

export const COMPONENTS = {
  securitySchemes: {
    token: {
      type: 'apiKey',
      in: 'header',
      name: 'x-access-token',
      description: 'El `accessToken` que responde POST /api/auth/signin',
    },
    bearer: { type: 'http', scheme: 'bearer', description: 'El mismo, como `Authorization: Bearer`' },
    cookie: {
      type: 'apiKey',
      in: 'cookie',
      name: 'saldo',
      description: 'La sesión del navegador (`__Host-saldo` con https); los cambios exigen un Origin propio',
    },
  },
  parameters: { IdempotencyKey: IDEMPOTENCY_PARAMETER },
  headers: {
    'X-Total-Count': createHeaderObject('Cuántas filas hay en todas las páginas', {
      type: 'integer',
      minimum: 0,
    }),
    Link: createHeaderObject('`<…>; rel="next"`: la página siguiente, donde la hay', { type: 'string' }),
    'X-Sum-Total': createSumHeader('La suma de total'),
    'X-Sum-Paid': createSumHeader('La suma de lo pagado'),
    'X-Sum-Pending': createSumHeader('La suma de lo pendiente'),
    'X-Sum-SinIva': createSumHeader('La suma de subtotal + otrosimpuestos'),
    Allow: createHeaderObject('Los métodos que la dirección admite', {
      type: 'string',
      examples: ['GET, HEAD, PUT, DELETE'],
    }),
    'Retry-After': createHeaderObject('Segundos que conviene esperar', { type: 'integer', minimum: 0 }),
  },
};

export const FORM_TYPE = 'multipart/form-data';
