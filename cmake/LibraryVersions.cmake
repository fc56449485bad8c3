# weftsim_library_versions(<variable>): "name version" of every library that is linked, a line each,
# of those that CMake or a header tells. The others say it themselves (sim/cli/version.cpp).

# The number after a macro or constant, over all the lines that match.
function(weftsim_version_in_header variable header pattern)
  set(found unknown)
  if(EXISTS ${header})
    file(STRINGS ${header} lines REGEX "${pattern}")
    string(REGEX MATCHALL "[0-9]+(\\.[0-9]+)*" numbers "${lines}")
    list(JOIN numbers "." found)
  endif()
  set(${variable} "${found}" PARENT_SCOPE)
endfunction()

function(weftsim_library_versions variable)
  find_package(ZLIB REQUIRED)
  find_package(MPI REQUIRED COMPONENTS C)
  find_path(MUPARSER_INCLUDE muParserDef.h)
  find_path(TOMLPLUSPLUS_INCLUDE toml++/impl/version.h)
  weftsim_version_in_header(muparser ${MUPARSER_INCLUDE}/muParserDef.h "string_type ParserVersion =")
  weftsim_version_in_header(toml ${TOMLPLUSPLUS_INCLUDE}/toml++/impl/version.h
    "define TOML_LIB_(MAJOR|MINOR|PATCH)")
  set(versions
    "Boost ${Boost_VERSION_STRING}"
    "yaml-cpp ${yaml-cpp_VERSION}"
    "Protobuf ${Protobuf_VERSION}"
    "RapidJSON ${RapidJSON_VERSION}"
    "nlohmann_json ${nlohmann_json_VERSION}"
    "pugixml ${pugixml_VERSION}"
    "tomlplusplus ${toml}"
    "LibArchive ${LibArchive_VERSION}"
    "muParser ${muparser}"
    "spdlog ${spdlog_VERSION}"
    "ZLIB ${ZLIB_VERSION_STRING}"
    "MPI ${MPI_C_VERSION} (standard)")
  list(JOIN versions "\\n" text)
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()
