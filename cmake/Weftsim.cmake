# One target a folder, the flags they all share, and one test program a folder.

add_library(weftsim_flags INTERFACE)
target_include_directories(weftsim_flags INTERFACE ${CMAKE_SOURCE_DIR}/sim)
# Bit-equal results on every compiler and build type: no contraction of a*b+c.
target_compile_options(weftsim_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror -ffp-contract=off)
# Line numbers are what a stack trace needs; the rest of -g takes a fifth of the compile time.
target_compile_options(weftsim_flags INTERFACE $<$<CONFIG:RelWithDebInfo>:-g1>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 at -O3 sees impossible copies in string concatenation (GCC bug 105651) and members of
  # aggregates used before they are set.
  target_compile_options(weftsim_flags INTERFACE
    -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds -Wno-maybe-uninitialized)
endif()
if(WEFTSIM_SANITIZE)
  target_compile_options(weftsim_flags INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer)
  target_link_options(weftsim_flags INTERFACE -fsanitize=address,undefined)
endif()

# Reading headers takes a good part of a file's compile time (half of it with clang), so they are
# read once for all files: weftsim_headers for core, weftsim_spec_headers for what stands on it.
# CLI11 is not among them: g++ then compiles all of it in every file.
function(weftsim_precompile_headers)
  set(headers <algorithm> <fmt/format.h> <functional> <map> <memory> <optional> <set> <string> <vector>)
  weftsim_headers(weftsim_headers ${headers})
  weftsim_headers(weftsim_spec_headers ${headers} <filesystem> <span> <variant> <spec/experiment.hpp>)
endfunction()

function(weftsim_headers name)
  add_library(${name} OBJECT ${CMAKE_SOURCE_DIR}/cmake/headers.cpp)
  target_link_libraries(${name} PRIVATE weftsim_flags fmt::fmt)
  target_precompile_headers(${name} PRIVATE ${ARGN})
endfunction()

# weftsim_library(<folder> DEPENDS <folders...> [LIBRARIES <third-party...>])
function(weftsim_library folder)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LIBRARIES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(sources)
    add_library(weftsim_${folder} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(weftsim_${folder} PRIVATE ${ARG_LIBRARIES})
    set(headers weftsim_headers)
    if(spec IN_LIST ARG_DEPENDS)
      set(headers weftsim_spec_headers)
    endif()
    target_precompile_headers(weftsim_${folder} REUSE_FROM ${headers})
  else()
    add_library(weftsim_${folder} INTERFACE)
    set(scope INTERFACE)
  endif()
  list(TRANSFORM ARG_DEPENDS PREPEND weftsim_)
  target_link_libraries(weftsim_${folder} ${scope} weftsim_flags ${ARG_DEPENDS})
endfunction()

# GoogleMock takes longer to read than most tests to compile: it is read once for all of them.
function(weftsim_precompile_test_headers)
  add_library(weftsim_test_headers OBJECT ${CMAKE_SOURCE_DIR}/cmake/headers.cpp)
  target_link_libraries(weftsim_test_headers PRIVATE weftsim_flags GTest::gmock GTest::gtest)
  target_compile_options(weftsim_test_headers PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
  target_precompile_headers(weftsim_test_headers PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
endfunction()

# weftsim_tests(<folder>): tests/<folder>/*_test.cpp become one program, test_<folder>.
function(weftsim_tests folder)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LIBRARIES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*_test.cpp)
  if(NOT sources)
    return()
  endif()
  list(TRANSFORM ARG_DEPENDS PREPEND weftsim_)
  add_executable(test_${folder} ${sources})
  target_link_libraries(test_${folder} PRIVATE
    weftsim_${folder} ${ARG_DEPENDS} ${ARG_LIBRARIES} weftsim_flags GTest::gmock GTest::gtest_main)
  target_precompile_headers(test_${folder} REUSE_FROM weftsim_test_headers)
  # What tests call is optimised; optimising the tests themselves would double their compile time.
  target_compile_options(test_${folder} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
  target_include_directories(test_${folder} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_compile_definitions(test_${folder} PRIVATE WEFTSIM_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  gtest_discover_tests(test_${folder} DISCOVERY_MODE PRE_TEST PROPERTIES LABELS unit)
endfunction()
