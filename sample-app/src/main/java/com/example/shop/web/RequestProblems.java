package com.example.shop.web;

import com.example.shop.orders.SoldOutException;
import com.example.shop.orders.UnknownProductException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.MessageSourceResolvable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/**
 * The answer to a client whose request itself is wrong: 422 with the reason wherever Spring would say 400, 409
 * for what is sold out.
 */
@RestControllerAdvice
class RequestProblems extends ResponseEntityExceptionHandler {

    @ExceptionHandler
    ProblemDetail soldOut(SoldOutException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, e.getMessage());
    }

    @ExceptionHandler
    ProblemDetail unknown(UnknownProductException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.UNPROCESSABLE_CONTENT, e.getMessage());
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleMethodArgumentNotValid(
            MethodArgumentNotValidException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        Stream<String> fields =
                e.getFieldErrors().stream().map(error -> error.getField() + " " + error.getDefaultMessage());
        e.getBody().setDetail(fields.sorted().collect(Collectors.joining("; ")));
        return super.handleMethodArgumentNotValid(e, headers, status, request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleHandlerMethodValidationException(
            HandlerMethodValidationException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        Stream<String> parameters = e.getParameterValidationResults().stream()
                .flatMap(parameter -> parameter.getResolvableErrors().stream()
                        .map(MessageSourceResolvable::getDefaultMessage)
                        .map(message -> parameter.getMethodParameter().getParameterName() + " " + message));
        e.getBody().setDetail(parameters.sorted().collect(Collectors.joining("; ")));
        return super.handleHandlerMethodValidationException(e, headers, status, request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        String detail = "The body can't be read as the JSON that is expected here; GET / shows examples";
        return handleExceptionInternal(e, ProblemDetail.forStatusAndDetail(status, detail), headers, status, request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleExceptionInternal(
            Exception e, @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        if (status.value() != HttpStatus.BAD_REQUEST.value()) {
            return super.handleExceptionInternal(e, body, headers, status, request);
        }
        Object said = body == null && e instanceof ErrorResponse response ? response.getBody() : body;
        ProblemDetail problem = said instanceof ProblemDetail detail ? detail : ProblemDetail.forStatus(status);
        problem.setStatus(HttpStatus.UNPROCESSABLE_CONTENT);
        problem.setTitle(HttpStatus.UNPROCESSABLE_CONTENT.getReasonPhrase());
        return super.handleExceptionInternal(e, problem, headers, HttpStatus.UNPROCESSABLE_CONTENT, request);
    }
}
