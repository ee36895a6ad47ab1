/** What the service, or an entry of a batch, says went wrong. */
export interface ServiceError {
  readonly code: string;
  readonly message: string;
  /** Of an entry of a batch: 400 where the fault was the sender's, else 500. */
  readonly httpStatus: number;
}

/** The answer in an error of the SDK; null where no answer of the service came. */
export function serviceErrorOf(error: unknown): ServiceError | null {
  if (!(error instanceof Error)) return null;
  const { $metadata, Code } = error as { $metadata?: { httpStatusCode?: unknown }; Code?: unknown };
  const httpStatus = $metadata?.httpStatusCode;
  if (typeof httpStatus !== 'number' || httpStatus < 400) return null;
  // Older code names are beside the newer; a missing queue has two.
  const code = typeof Code === 'string' ? `${Code} ${error.name}` : error.name;
  return { code, message: error.message, httpStatus };
}

export function isMissingQueue({ code }: ServiceError): boolean {
  return /(QueueDoesNotExist|NonExistentQueue)$/.test(code);
}

/** Not allowed, or not known as who it says it is. */
export function isForbidden({ code }: ServiceError): boolean {
  return /AccessDenied|InvalidSecurity|InvalidClientTokenId|UnrecognizedClient|ExpiredToken|SignatureDoesNotMatch/.test(
    code,
  );
}

function isThrottled({ code, httpStatus }: ServiceError): boolean {
  return (
    httpStatus === 429 ||
    /Throttl|OverLimit|RequestLimitExceeded|SlowDown|TooManyRequests|ServiceUnavailable/.test(code)
  );
}

/** The SDK has set its clock by the answer, so that the next request is in time. */
function isClockSkew({ code }: ServiceError): boolean {
  return /RequestTimeTooSkewed|RequestExpired|RequestInTheFuture|InvalidSignature|SignatureDoesNotMatch/.test(
    code,
  );
}

/** Certainly not applied, and worth another try at once. */
export function passesSoon(error: ServiceError): boolean {
  return isThrottled(error) || isClockSkew(error);
}

/** Certainly not applied. An internal error of the service may have come after it had applied the request. */
export function isRefusal(error: ServiceError): boolean {
  return error.httpStatus < 500 || isThrottled(error);
}

/** The receipt is of a delivery that has ended: SQS answers so to a change of visibility, and seldom to a delete. */
export function isEndedDelivery({ code, message }: ServiceError): boolean {
  return (
    /(ReceiptHandleIsInvalid|MessageNotInflight)$/.test(code) ||
    /receipt handle has expired|not available for visibility timeout change/i.test(message)
  );
}
