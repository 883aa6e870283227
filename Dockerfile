# The service:               docker build -t satjudge .
# The board as a web site:   docker build -t satjudge-site --target site .
ARG PYTHON=python:3.13-slim
ARG WEB=nginxinc/nginx-unprivileged:stable-alpine

FROM ${PYTHON} AS build
WORKDIR /src
COPY . .
RUN python -m venv /opt/satjudge
# All that the service asks for, without the solver (docs/guides/small.md): 150 MB instead of 500.
RUN /opt/satjudge/bin/pip install --no-cache-dir click msgspec filelock psutil numpy 'wasmtime>=50,<51' starlette uvicorn httptools uvloop prometheus-client
RUN /opt/satjudge/bin/pip install --no-cache-dir --no-deps .

FROM build AS board
RUN /opt/satjudge/bin/satjudge explore --site /board

FROM ${WEB} AS site
COPY --from=board /board /usr/share/nginx/html
EXPOSE 8080
HEALTHCHECK CMD wget -q -O /dev/null http://127.0.0.1:8080/

FROM ${PYTHON} AS service
COPY --from=build /opt/satjudge /opt/satjudge
USER 10001
EXPOSE 8780
HEALTHCHECK --start-period=20s CMD ["/opt/satjudge/bin/python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8780/health', timeout=5)"]
ENTRYPOINT ["/opt/satjudge/bin/satjudge", "serve", "--host", "0.0.0.0"]
CMD ["--log", "json"]
